package tallystick.experiment.study;

import java.util.List;
import java.util.stream.IntStream;
import tallystick.experiment.RateFormat;
import tallystick.experiment.study.StudyStep.Kind;

/**
 * Runs at the end of a study on which nothing is derived: they show whether what it earned is
 * silent in health, and how early it speaks.
 */
final class Trials {
  /** An hour without a false alarm bounds them at 72 a day; a ramp rises by 0.5 % a minute. */
  private static final double LONGEST_SECONDS = 3600;

  /** What rises by more than 1 % of capacity a minute is no slow ramp. */
  private static final double SHORTEST_SECONDS = 1800;

  private static final double ROUND = 60;

  /** A ramp rises from this share below its middle to as much above it. */
  static final double RISE = 0.15;

  /** The middle of a ramp as a share of capacity: users begin to suffer in its second half. */
  private static final double MIDDLE = 0.95;

  /** Loads that a healthy hour goes through, as shares of capacity. */
  private static final double[] HEALTHY = {0.4, 0.7, 0.55};

  private Trials() {}

  /** How long one may be so that its requests fit; 0 where that is too short to try anything. */
  static double seconds(double capacity, double mostRequests) {
    double fit = Math.floor(mostRequests / capacity / ROUND) * ROUND;
    return fit < SHORTEST_SECONDS ? 0 : Math.min(LONGEST_SECONDS, fit);
  }

  /** Load that users should not feel, at a few rates. */
  static StudyRun health(StudyRun like, double capacity, double seconds) {
    double each = seconds / HEALTHY.length;
    List<StudyStep> steps =
        IntStream.range(0, HEALTHY.length)
            .mapToObj(i -> step(i + 1, Kind.HEALTH, HEALTHY[i] * capacity, each))
            .toList();
    return with(like, steps);
  }

  /** Load that rises from what users do not feel to what they do. */
  static StudyRun ramp(StudyRun like, double capacity, double seconds) {
    return with(like, List.of(step(1, Kind.RAMP, MIDDLE * capacity, seconds)));
  }

  private static StudyRun with(StudyRun like, List<StudyStep> steps) {
    return new StudyRun(like.number(), like.mix(), like.windowSeconds(), steps, like.seed());
  }

  private static StudyStep step(int number, Kind kind, double perSecond, double seconds) {
    return new StudyStep(number, kind, RateFormat.rounded(perSecond), seconds);
  }
}
