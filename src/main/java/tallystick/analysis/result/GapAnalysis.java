package tallystick.analysis.result;

import java.util.List;

/**
 * What lies between the client's exact samples and the engine's buckets, found without
 * interpolation: anchored at the engine's own edges. Seconds. TTFT and E2E only.
 *
 * @param available whether it could be computed
 * @param absence why not; empty when available
 * @param edges the table behind the other fields
 * @param constantGap the set of constant overheads that explain both accounts, value = its middle;
 *     missing where no constant overhead does
 * @param boundSeconds smallest overhead that covers every edge
 * @param orderViolations edges below which the client has more samples than the engine, which
 *     cannot be when the client's interval contains the engine's
 * @param ksLow smallest Kolmogorov-Smirnov distance the buckets allow; descriptive
 * @param ksHigh largest one
 * @param meanGap client mean minus engine mean with its confidence interval over time batches
 */
public record GapAnalysis(
    boolean available,
    String absence,
    List<Edge> edges,
    Interval constantGap,
    Figure boundSeconds,
    List<Double> orderViolations,
    Figure ksLow,
    Figure ksHigh,
    Interval meanGap) {

  /**
   * Both sides at one of the engine's edges.
   *
   * @param edge the edge
   * @param engineCount engine observations at or below it
   * @param clientCount client samples at or below it
   * @param crossers requests which the overhead pushed over it
   * @param gapLow smallest overhead at this rank
   * @param gapHigh largest overhead at the next rank; missing above the last sample
   */
  public record Edge(
      double edge,
      double engineCount,
      long clientCount,
      double crossers,
      Figure gapLow,
      Figure gapHigh) {}

  public GapAnalysis {
    edges = List.copyOf(edges);
    orderViolations = List.copyOf(orderViolations);
  }

  /** No analysis, and why. */
  public static GapAnalysis absent(String why) {
    Figure none = Figure.missing(why);
    return new GapAnalysis(
        false, why, List.of(), Interval.missing(why), none, List.of(), none, none,
        Interval.missing(why));
  }
}
