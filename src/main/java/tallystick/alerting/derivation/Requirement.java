package tallystick.alerting.derivation;

import tallystick.alerting.RefusalCode;

/** What a threshold asks of the runs, and what to run where it is missing. */
public enum Requirement {
  /** Runs that are valid and whose ledgers closed. */
  TRUSTED_RUNS(
      RefusalCode.UNRECONCILED, "fix what the findings of these runs name, or leave these runs"
          + " out"),
  /** Phases of one offered rate. */
  STEPS(RefusalCode.NO_WINDOW, "run phases of one rate each, as in scenarios/slo-steps.yaml"),
  /** Steps that hold a window beside what is left out at their beginning. */
  LONG_STEPS(RefusalCode.NO_WINDOW, "run longer steps, or give a smaller --skip or --window"),
  /** Windows in which users suffered. */
  VIOLATED_WINDOWS(
      RefusalCode.NO_VIOLATING_WINDOW, "run more or longer steps at and above capacity"),
  /** Different steps with such windows. */
  VIOLATED_STEPS(RefusalCode.NO_VIOLATING_WINDOW, "run more steps at and above capacity"),
  /** Windows in which users were well. */
  MET_WINDOWS(RefusalCode.NO_HEALTHY_WINDOW, "run more or longer steps below capacity"),
  /** Different steps with such windows. */
  MET_STEPS(RefusalCode.NO_HEALTHY_WINDOW, "run more steps below capacity"),
  /** Requests in a window. */
  REQUESTS(RefusalCode.TOO_FEW_OBSERVATIONS, "give a longer --window, or run longer steps"),
  /** Suffering without overload. */
  MILD_SUFFERING(
      RefusalCode.OVERLOAD_ONLY, "run steps just below capacity, where some users wait at times"),
  /** Windows whose signal is a number. */
  PRESENCE(
      RefusalCode.TOO_FEW_OBSERVATIONS, "leave this signal out if the engine does not expose or"
          + " use it"),
  /** Bucket edges where the signal tells anything. */
  EDGES(RefusalCode.UNRESOLVABLE, "set the objective on one of the engine's bucket edges"),
  /** Runs to leave out. */
  RUNS(RefusalCode.NOT_SEPARABLE, "run the same scenario again with another --seed"),
  /** More than one value. */
  VARIATION(RefusalCode.NOT_SEPARABLE, "leave this signal out: it never changes on this engine"),
  /** Users who suffer more under more load. */
  LOAD_ORDER(
      RefusalCode.NOT_SEPARABLE,
      "use runs in which only the load changed (signals of what users feel do not need that)"),
  /** Area under the curve. */
  AREA(
      RefusalCode.NOT_SEPARABLE,
      "run more steps near capacity if the lower bound is close; otherwise leave this signal out"),
  /** Right answers on runs left out. */
  YOUDEN(
      RefusalCode.NOT_SEPARABLE,
      "run more steps near capacity if the figure is close; otherwise leave this signal out"),
  /** A narrow interval of the threshold. */
  NARROW_INTERVAL(RefusalCode.UNSTABLE, "run more steps near capacity, with other seeds"),
  /** One threshold, whichever run is left out. */
  AGREEING_RUNS(RefusalCode.UNSTABLE, "run more steps near capacity, with other seeds"),
  /** Mixes to leave out. */
  MIXES(RefusalCode.NOT_TRANSFERABLE, "run a second traffic mix, with --label mix=NAME"),
  /** Right answers on mixes left out. */
  TRANSFER(
      RefusalCode.NOT_TRANSFERABLE, "learn one for each traffic mix, from its runs alone; that"
          + " works for signals of what users feel");

  private final RefusalCode code;
  private final String next;

  Requirement(RefusalCode code, String next) {
    this.code = code;
    this.next = next;
  }

  /** The refusal where it is missing. */
  public RefusalCode code() {
    return code;
  }

  /** What to run or to change, for a reader. */
  public String next() {
    return next;
  }
}
