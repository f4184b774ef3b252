package tallystick.alerting;

import tallystick.analysis.result.Choice;

/** Why a threshold is refused. Source: docs/alerts.md#refusals. */
public enum RefusalCode implements Choice {
  NO_WINDOW("there is no stretch of steady load to learn from"),
  NO_VIOLATING_WINDOW("users suffered in too few windows"),
  NO_HEALTHY_WINDOW("users were well in too few windows"),
  TOO_FEW_OBSERVATIONS("too few observations"),
  NOT_SEPARABLE("the signal does not separate bad windows from good ones in these runs"),
  UNSTABLE("the threshold is too uncertain"),
  NOT_TRANSFERABLE("no threshold is shown to work for another traffic mix"),
  UNRESOLVABLE("the engine's buckets are too coarse for the objective"),
  OVERLOAD_ONLY("users suffered only in overload"),
  UNRECONCILED("the runs' measurements cannot be trusted");

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
    return plain + " (" + code() + ")";
  }
}
