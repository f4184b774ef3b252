package tallystick.alerting;

import java.util.Locale;

/** How soon somebody must look; the label {@code severity} of an alert. */
public enum AlertSeverity {
  /** Wake somebody: the budget burns too fast, or the service is gone or stuck. */
  PAGE,
  /** Look within a working day. */
  TICKET,
  /** Look when something else is wrong. */
  WARNING;

  /** The label's value, for example {@code page}. */
  public String severity() {
    return name().toLowerCase(Locale.ROOT);
  }
}
