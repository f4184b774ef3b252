package tallystick.analysis.result;

import java.util.List;

/**
 * One quantity seen from both sides.
 *
 * @param quantity TTFT, E2E, ITL or TPOT
 * @param clientMean client mean from request written, in seconds
 * @param engineMean engine mean, in seconds
 * @param meanGap client minus engine: exact, no sampling error for this run
 * @param percentiles the client's value beside the engine's bracket
 * @param verdict whether the two can be true of the same requests
 * @param explanation one sentence for the reader
 * @param gap what lies between the two, anchored at the engine's edges; TTFT and E2E only
 */
public record Comparison(
    Latency quantity,
    Figure clientMean,
    Figure engineMean,
    Figure meanGap,
    List<ComparedPercentile> percentiles,
    Verdict verdict,
    String explanation,
    GapAnalysis gap) {

  /** What client and engine make of each other. */
  public enum Verdict implements Choice {
    /** Buckets and a small overhead explain every percentile. */
    EXPLAINED,
    /** They do not: look outside the engine. */
    NOT_EXPLAINED,
    /** The two cannot both be true. */
    INCONSISTENT,
    /** The two sides do not hold the same things. */
    NOT_COMPARABLE,
    /** A side is missing or too small. */
    NOT_CHECKED
  }

  /** A client percentile beside the bucket the engine's lies in; seconds. */
  public record ComparedPercentile(double level, Figure client, Figure low, Figure high) {}

  public Comparison {
    percentiles = List.copyOf(percentiles);
  }

  /** The same where the engine's figures contradict each other: nothing rests on them. */
  public Comparison withoutTrust() {
    boolean isJudged = verdict == Verdict.EXPLAINED || verdict == Verdict.NOT_EXPLAINED;
    String why = "the engine's own figures contradict each other";
    return isJudged
        ? new Comparison(
            quantity, clientMean, engineMean, meanGap, List.of(), Verdict.NOT_COMPARABLE, why,
            GapAnalysis.absent(why))
        : this;
  }
}
