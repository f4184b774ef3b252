package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;

/**
 * The overhead between an engine's buckets and the client's exact samples of the same requests.
 *
 * <p>At an edge e with r engine observations at or below it, the engine's r-th order statistic is
 * at most e and the next one is above e. So the overhead at rank r is at least the client's r-th
 * sample less e, and at rank r+1 at most the client's next sample less e.
 */
final class EdgeGaps {
  private EdgeGaps() {}

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
