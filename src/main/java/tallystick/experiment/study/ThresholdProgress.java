package tallystick.experiment.study;

import java.util.List;
import tallystick.alerting.derivation.Requirement;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.UnmetRequirement;
import tallystick.scenario.Objective;

/**
 * How far one signal's threshold is after some runs.
 *
 * @param objective metric that users are judged by
 * @param lacks what it lacks; nothing where it is earned
 */
record ThresholdProgress(
    Objective.Metric objective, Signal signal, State state, List<UnmetRequirement> lacks) {
  /** So many runs tell a figure that is far from its limit. */
  private static final int SOME_RUNS = 4;

  /** More runs than this hardly narrow anything. */
  private static final int MANY_RUNS = 8;

  private static final double FAR = 0.15; // nearer to the limit, more runs may still reach it

  /** Whether more runs are worth their time. */
  enum State {
    EARNED,
    OPEN,
    /** More runs of this study would not help. */
    OUT_OF_REACH
  }

  /** How it stands after so many measured runs. */
  static ThresholdProgress of(
      Objective.Metric objective, Signal signal, List<UnmetRequirement> lacks, int runs) {
    if (lacks.isEmpty()) {
      return new ThresholdProgress(objective, signal, State.EARNED, lacks);
    }
    State state = isHopeless(signal, lacks.getFirst(), runs) ? State.OUT_OF_REACH : State.OPEN;
    return new ThresholdProgress(objective, signal, state, lacks);
  }

  private static boolean isHopeless(Signal signal, UnmetRequirement lack, int runs) {
    return switch (lack.need()) {
      case PRESENCE, EDGES, VARIATION -> runs >= 2;
      case TRANSFER, LOAD_ORDER -> runs >= SOME_RUNS;
      case AREA, YOUDEN ->
          runs >= MANY_RUNS || runs >= SOME_RUNS && lack.found() < lack.limit() - FAR;
      // Every further run narrows: the share of bad requests is worth all the time there is.
      case NARROW_INTERVAL, AGREEING_RUNS -> runs >= MANY_RUNS && signal != Signal.BAD_RATIO;
      // An objective that overload has not broken once is not broken by load.
      case VIOLATED_WINDOWS, VIOLATED_STEPS, MET_WINDOWS, MET_STEPS ->
          runs >= MANY_RUNS || runs >= SOME_RUNS && lack.found() == 0;
      case MILD_SUFFERING -> runs >= MANY_RUNS;
      case TRUSTED_RUNS, STEPS, LONG_STEPS, REQUESTS, RUNS, MIXES -> false;
    };
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  boolean lacks(Requirement need) {
    return lacks.stream().anyMatch(lack -> lack.need() == need);
  }
}
