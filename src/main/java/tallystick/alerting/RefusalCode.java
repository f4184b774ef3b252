package tallystick.alerting;

import java.util.Locale;

/** Why a threshold is refused. Source: docs/alerts.md#refusals. */
public enum RefusalCode {
  NO_WINDOW,
  NO_VIOLATING_WINDOW,
  NO_HEALTHY_WINDOW,
  TOO_FEW_OBSERVATIONS,
  NOT_SEPARABLE,
  UNSTABLE,
  NOT_TRANSFERABLE,
  UNRESOLVABLE,
  OVERLOAD_ONLY,
  UNRECONCILED;

  /** The stable word shown to readers, for example {@code no_violating_window}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
