package tallystick.analysis.client;

import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/**
 * The client's own delay, where it is more than latencies may hold. Pauses that were noted are in
 * the {@link OwnClock client's own clock}; here is what they do not explain.
 *
 * @param startSeconds from the intended start to the written request, P99; in a closed loop the
 *     turnaround too; 0 where that is little
 * @param stampSeconds by how much stamps were late, P99; 0 where that is little
 * @param largestStampSeconds the same, the largest
 * @param beyond share of things that may hold more than the two P99
 * @param stillShare how much of the window the client stood still; 0 where that is little
 * @param turnaroundSeconds how much later users of a closed loop asked on average; 0 as before
 * @param lostShare how much less of the server they asked by it
 */
public record OwnDelay(
    double startSeconds, double stampSeconds, double largestStampSeconds, double beyond,
    double stillShare, double turnaroundSeconds, double lostShare) {
  public static final OwnDelay NONE = new OwnDelay(0, 0, 0, 0, 0, 0, 0);

  private static final double BEYOND_P99 = 0.01;

  /** This one with late starts. */
  public OwnDelay withStarts(double p99Seconds) {
    return new OwnDelay(
        startSeconds + p99Seconds, stampSeconds, largestStampSeconds, beyond + BEYOND_P99,
        stillShare, turnaroundSeconds, lostShare);
  }

  /** This one with what users of a closed loop wait between an answer and their next request. */
  public OwnDelay withTurnaround(double p99Seconds, double meanSeconds, double lost) {
    return new OwnDelay(
        startSeconds + p99Seconds, stampSeconds, largestStampSeconds, beyond + BEYOND_P99,
        stillShare, meanSeconds, lost);
  }

  /** This one with late stamps. */
  public OwnDelay withStamps(double p99Seconds, double largestSeconds) {
    return new OwnDelay(
        startSeconds, Math.max(stampSeconds, p99Seconds),
        Math.max(largestStampSeconds, largestSeconds), beyond + BEYOND_P99, stillShare,
        turnaroundSeconds, lostShare);
  }

  /** This one with pauses. */
  public OwnDelay withPauses(double share) {
    return new OwnDelay(
        startSeconds, stampSeconds, largestStampSeconds, beyond, share, turnaroundSeconds,
        lostShare);
  }

  public boolean isOfStamps() {
    return largestStampSeconds > 0 || stillShare > 0;
  }

  /**
   * By how much of its limit what was measured may be too long. Requests that start late start
   * together: a wait or gap beside them is longer by their work. That is taken for no more than
   * their delay; LateClientCalibrationTest measures how right verdicts are with it.
   *
   * @param fewestGaps of an answer, over which a time per token spreads a delay
   */
  double tooLong(Objective limit, int fewestGaps) {
    double stamps = limit.metric() == Metric.LARGEST_GAP ? largestStampSeconds : stampSeconds;
    return shareOf(limit, startSeconds + stamps, fewestGaps);
  }

  private static double shareOf(Objective limit, double seconds, int fewestGaps) {
    int spread = limit.metric() == Metric.TPOT ? fewestGaps : 1;
    return seconds / spread / limit.thresholdSeconds();
  }

  /**
   * By how much of its limit it may be too short. Late starts and stamps make waits longer. But a
   * server that is asked less is faster: by the lost share, and a queue before it by what its users
   * waited elsewhere. Requests of one moment that start one after the other lengthen gaps less.
   */
  double tooShort(Objective limit, int fewestGaps) {
    return Math.max(
        lostShare,
        limit.metric().isFromStart()
            ? turnaroundSeconds / limit.thresholdSeconds()
            : shareOf(limit, startSeconds, fewestGaps));
  }
}
