package tallystick.experiment.study;

import java.util.Locale;
import tallystick.scenario.Formatted;

/**
 * One stretch of a run at one rate.
 *
 * @param number counts the steps of a run from 1
 * @param kind what it is to show
 * @param perSecond requests per second
 * @param seconds how long it lasts
 */
record StudyStep(int number, Kind kind, double perSecond, double seconds) {

  /** What a step is to show. */
  enum Kind {
    /** Roughly where the capacity lies. */
    SCOUT,
    /** Whether the engine is still as fast as in other runs: the same rate in each. */
    REFERENCE,
    /** Health under load. */
    BELOW,
    /** Where some users begin to suffer. */
    KNEE,
    /** Suffering; its queue is bounded by its length. */
    OVER,
    /** The end of the queue that the step before has left. */
    DRAIN,
    /** Whether what is earned keeps silent while users are well; nothing is derived from it. */
    HEALTH,
    /** How early what is earned speaks: the rate rises slowly around the one named. */
    RAMP
  }

  /** Its phase in the record. */
  String name() {
    return Formatted.of("%02d-%s", number, kind.name().toLowerCase(Locale.ROOT));
  }
}
