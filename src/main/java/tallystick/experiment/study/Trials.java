package tallystick.experiment.study;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

  private static final double ROUND = 60; // Whole minutes: windows of rules are

  /** A ramp rises from this share below its middle to as much above it. */
  static final double RISE = 0.15;

  /** The middle of a ramp as a share of capacity: users begin to suffer in its second half. */
  private static final double MIDDLE = 0.95;

  /** Loads that a healthy hour goes through, as shares of capacity. */
  private static final double[] HEALTHY = {0.4, 0.7, 0.55};

  private Trials() {}

  /** Load that users should not feel, at a few rates; empty where it cannot be long enough. */
  static Optional<StudyRun> health(StudyRun like, double capacity, double mostRequests) {
    double each =
        seconds(Arrays.stream(HEALTHY).average().orElseThrow() * capacity, mostRequests)
            / HEALTHY.length;
    return run(
        like,
        IntStream.range(0, HEALTHY.length)
            .mapToObj(i -> step(i + 1, Kind.HEALTH, HEALTHY[i] * capacity, each))
            .toList());
  }

  /** Load that rises from what users do not feel to what they do; empty as above. */
  static Optional<StudyRun> ramp(StudyRun like, double capacity, double mostRequests) {
    double middle = MIDDLE * capacity;
    return run(like, List.of(step(1, Kind.RAMP, middle, seconds(middle, mostRequests))));
  }

  /** How long a load may last so that its requests fit. */
  private static double seconds(double perSecond, double mostRequests) {
    double fit = Math.floor(mostRequests / perSecond / ROUND) * ROUND;
    return Math.min(LONGEST_SECONDS, fit);
  }

  private static Optional<StudyRun> run(StudyRun like, List<StudyStep> steps) {
    StudyRun run =
        new StudyRun(like.number(), like.mix(), like.windowSeconds(), steps, like.seed());
    return Optional.of(run).filter(one -> one.loadSeconds() >= SHORTEST_SECONDS);
  }

  private static StudyStep step(int number, Kind kind, double perSecond, double seconds) {
    return new StudyStep(number, kind, RateFormat.rounded(perSecond), seconds);
  }
}
