package tallystick.alerting;

import java.util.Locale;

/** Why a threshold is refused. Source: docs/alerts.md#refusals. */
public enum RefusalCode {
  NO_WINDOW("there is no stretch of steady load to learn from"),
  NO_VIOLATING_WINDOW("users were not seen to suffer often enough"),
  NO_HEALTHY_WINDOW("users were not seen to be well often enough"),
  TOO_FEW_OBSERVATIONS("too little was seen"),
  NOT_SEPARABLE("the signal does not separate bad windows from good ones in these runs"),
  UNSTABLE("other runs would give another threshold"),
  NOT_TRANSFERABLE("no threshold is shown to hold for another mix of requests"),
  UNRESOLVABLE("the engine's buckets are too coarse for the objective"),
  OVERLOAD_ONLY("users were seen to suffer only in overload"),
  UNRECONCILED("what the runs measured cannot be trusted, so they prove nothing");

  private final String plain;

  RefusalCode(String plain) {
    this.plain = plain;
  }

  /** What was seen, in words for a reader. */
  public String plain() {
    return plain;
  }

  /** The same with the stable word, under which the documents explain it. */
  public String full() {
    return plain + " (" + word() + ")";
  }

  /** The stable word for programs and in rule files, for example {@code no_violating_window}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
