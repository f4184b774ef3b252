package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.GapAnalysis;
import tallystick.analysis.result.Interval;
import tallystick.analysis.statistics.SampleSet;

/**
 * The overhead between an engine's buckets and the client's exact samples of the same requests.
 *
 * <p>At an edge e with r engine observations at or below it, the engine's r-th order statistic is
 * at most e and the next one is above e. So the overhead at rank r is at least the client's r-th
 * sample less e, and at rank r+1 at most the client's next sample less e.
 */
final class BucketEdgeOverhead {
  /** A clock that is being slewed runs wrong by up to this share. */
  private static final double SLEWED = 5e-4;

  /** Stamps of different threads may change places by this much. */
  private static final double STAMPED_SECONDS = 1e-3;

  /** So many long gaps may be missing whatever their number. */
  private static final double FEW = 10;

  private static final String NOT_CONTAINED = "gaps and tokens are not contained in one another";

  private BucketEdgeOverhead() {}

  /**
   * Whether a client whose intervals contain the engine's is faster than the engine, beyond what
   * clocks and stamps allow: at an edge with r engine observations at or below it, its sample of
   * rank r + 2 is still below. One row may have been stamped late.
   */
  static boolean isFaster(SampleSet client, EngineDistribution engine) {
    long extra = Math.max(0, client.count() - Math.round(engine.count()));
    return engine.buckets().stream()
        .filter(bucket -> !Double.isInfinite(bucket.edge()))
        .anyMatch(
            bucket -> {
              long rank = Math.round(bucket.cumulative()) + extra + 2;
              double allowed = STAMPED_SECONDS + SLEWED * bucket.edge();
              return rank <= client.count() && client.atRankSeconds(rank) < bucket.edge() - allowed;
            });
  }

  /**
   * Gaps between tokens at the engine's edges. A gap of the client does not contain the engine's,
   * so there is no overhead. But what holds a token back lengthens one gap by as much as it
   * shortens the next, and gaps that come together add up: rare long gaps do not vanish on the way.
   *
   * @param jitter what the way may do to gaps
   * @param missing gaps that the engine has and the client cannot show one by one
   */
  static GapAnalysis ofGaps(
      SampleSet client, EngineDistribution engine, GapJitter jitter, double missing) {
    Figure none = Figure.missing(NOT_CONTAINED);
    List<GapAnalysis.Edge> edges = new ArrayList<>();
    List<Double> vanished = new ArrayList<>();
    for (EngineDistribution.Bucket bucket : engine.buckets()) {
      if (Double.isInfinite(bucket.edge())) {
        continue;
      }
      long seen = client.atOrBelow(bucket.edge());
      edges.add(new GapAnalysis.Edge(
          bucket.edge(), bucket.cumulative(), seen, bucket.cumulative() - seen, none, none));
      double above = engine.count() - bucket.cumulative();
      double wanted = above - missing;
      long rank = client.count() + 1 - (long) Math.ceil(jitter.keptShare() * wanted - FEW);
      if (above <= jitter.mostAbove() * engine.count()
          && rank <= client.count()
          && rank >= 1
          && client.atRankSeconds(rank) < bucket.edge() - jitter.shift(bucket.edge())) {
        vanished.add(bucket.edge());
      }
    }
    return new GapAnalysis(
        true, "", edges, Interval.missing(NOT_CONTAINED), none, vanished,
        Figure.of(ksLow(edges, client.count(), engine.count())),
        Figure.of(ksHigh(edges, client.count(), engine.count())),
        Interval.missing("no batches of time"));
  }

  /** The analysis; mean gap and interval are the caller's. */
  static GapAnalysis of(SampleSet client, EngineDistribution engine, Interval meanGap) {
    if (client.count() == 0 || engine.count() == 0) {
      return GapAnalysis.absent("no observations on one side");
    }
    List<GapAnalysis.Edge> edges = new ArrayList<>();
    double lowest = Double.NEGATIVE_INFINITY;
    double highest = Double.POSITIVE_INFINITY;
    List<Double> violations = new ArrayList<>();
    for (EngineDistribution.Bucket bucket : engine.buckets()) {
      if (Double.isInfinite(bucket.edge())) {
        continue;
      }
      GapAnalysis.Edge edge = edge(client, bucket);
      edges.add(edge);
      lowest = Math.max(lowest, known(edge.gapLow(), Double.NEGATIVE_INFINITY));
      highest = Math.min(highest, known(edge.gapHigh(), Double.POSITIVE_INFINITY));
      if (edge.clientCount() > edge.engineCount()) {
        violations.add(edge.edge());
      }
    }
    return new GapAnalysis(
        true,
        "",
        edges,
        constantGap(lowest, highest, known(meanGap.value(), Double.NaN)),
        Double.isInfinite(lowest)
            ? Figure.missing("no edge holds an observation")
            : Figure.of(Math.max(0, lowest)),
        violations,
        Figure.of(ksLow(edges, client.count(), engine.count())),
        Figure.of(ksHigh(edges, client.count(), engine.count())),
        meanGap);
  }

  private static GapAnalysis.Edge edge(SampleSet client, EngineDistribution.Bucket bucket) {
    long rank = Math.round(bucket.cumulative());
    long seen = client.atOrBelow(bucket.edge());
    return new GapAnalysis.Edge(
        bucket.edge(),
        bucket.cumulative(),
        seen,
        bucket.cumulative() - seen,
        gapAt(client, rank, bucket.edge()),
        gapAt(client, rank + 1, bucket.edge()));
  }

  private static Figure gapAt(SampleSet client, long rank, double edge) {
    return rank < 1 || rank > client.count()
        ? Figure.missing("no sample of this rank")
        : Figure.of(client.atRankSeconds(rank) - edge);
  }

  /** A constant overhead would also be the exact mean gap, so the set must hold that one. */
  private static Interval constantGap(double low, double high, double meanGap) {
    if (!(low < high) || meanGap < low || meanGap > high) {
      return Interval.missing("no constant overhead explains both accounts: it varies");
    }
    if (Double.isInfinite(low) || Double.isInfinite(high)) {
      return Interval.missing("the edges bound the overhead on one side only");
    }
    return Interval.of((low + high) / 2, low, high);
  }

  private static double ksLow(List<GapAnalysis.Edge> edges, double samples, double observed) {
    double distance = 0;
    for (GapAnalysis.Edge edge : edges) {
      double difference = edge.engineCount() / observed - edge.clientCount() / samples;
      distance = Math.max(distance, Math.abs(difference));
    }
    return distance;
  }

  /** Between two edges each side may rise at once to its value at the upper one. */
  private static double ksHigh(List<GapAnalysis.Edge> edges, double samples, double observed) {
    double distance = 0;
    double engineBefore = 0;
    double clientBefore = 0;
    for (GapAnalysis.Edge edge : edges) {
      double engine = edge.engineCount() / observed;
      double client = edge.clientCount() / samples;
      distance = Math.max(distance, Math.max(client - engineBefore, engine - clientBefore));
      engineBefore = engine;
      clientBefore = client;
    }
    return Math.max(distance, Math.max(1 - engineBefore, 1 - clientBefore));
  }

  private static double known(Figure figure, double otherwise) {
    return figure instanceof Figure.Known known ? known.value() : otherwise;
  }
}
