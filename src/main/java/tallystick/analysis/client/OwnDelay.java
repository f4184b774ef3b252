package tallystick.analysis.client;

import java.util.List;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/**
 * The client's own delay, where it is more than latencies may hold.
 *
 * @param startSeconds from the intended start to the written request, P99; in a closed loop the
 *     turnaround too; 0 where that is little
 * @param stampSeconds by how much stamps were late, P99; 0 where that is little
 * @param largestStampSeconds the same, the largest
 * @param beyond share of things that may hold more than the two P99
 * @param isEasing whether users of a closed loop asked later for it, so that the server had less
 *     to do: then waits may be shorter, too
 */
public record OwnDelay(
    double startSeconds, double stampSeconds, double largestStampSeconds, double beyond,
    boolean isEasing) {
  public static final OwnDelay NONE = new OwnDelay(0, 0, 0, 0, false);

  private static final double BEYOND_P99 = 0.01;

  /** This one with late starts. */
  public OwnDelay withStarts(double p99Seconds) {
    return new OwnDelay(
        startSeconds + p99Seconds, stampSeconds, largestStampSeconds, beyond + BEYOND_P99,
        isEasing);
  }

  /** This one with what users of a closed loop wait between an answer and their next request. */
  public OwnDelay withTurnaround(double p99Seconds) {
    return new OwnDelay(
        startSeconds + p99Seconds, stampSeconds, largestStampSeconds, beyond + BEYOND_P99, true);
  }

  /** This one with late stamps. */
  public OwnDelay withStamps(double p99Seconds, double largestSeconds) {
    return new OwnDelay(
        startSeconds, Math.max(stampSeconds, p99Seconds),
        Math.max(largestStampSeconds, largestSeconds), beyond + BEYOND_P99, isEasing);
  }

  public boolean isOfStamps() {
    return largestStampSeconds > 0;
  }

  /**
   * By how much more than a limit what was measured may be off. Requests that start late start
   * together: a wait or gap beside them is longer by their work. That is taken for no more than
   * their delay; LateClientCalibrationTest measures how right verdicts are with it.
   *
   * @param fewestGaps of an answer, over which a time per token spreads a delay
   */
  double seconds(Objective objective, int fewestGaps) {
    List<Metric> metrics = objective.parts().stream().map(Objective::metric).toList();
    boolean isMean = metrics.stream().allMatch(Metric.TPOT::equals);
    double stamps = metrics.contains(Metric.LARGEST_GAP) ? largestStampSeconds : stampSeconds;
    return (startSeconds + stamps) / (isMean ? fewestGaps : 1);
  }
}
