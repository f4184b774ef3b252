package tallystick.scrape;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.Sample;

/** Whether an objective's threshold lies on a bucket edge, where the engine's share is exact. */
final class EdgeCheck {
  private static final double SAME = 1e-9; // rounding of a decimal edge

  private EdgeCheck() {}

  /**
   * One remark per threshold.
   *
   * @param thresholdSeconds concept of a latency histogram → threshold
   */
  static List<Remark> remarks(
      Observation observation, Map<MetricConcept, Double> thresholdSeconds) {
    List<Remark> remarks = new ArrayList<>();
    thresholdSeconds.forEach(
        (concept, threshold) ->
            remarks.add(remark(concept, edges(observation, concept), threshold)));
    return remarks;
  }

  private static Remark remark(MetricConcept concept, TreeSet<Double> edges, double threshold) {
    String metric = concept.name().toLowerCase(Locale.ROOT);
    String asked = metric + " objective of " + SnapshotText.number(threshold) + " s";
    if (edges.isEmpty()) {
      return Remark.warning("bucket edges", asked + ": the engine exposes no such histogram");
    }
    Double below = edges.floor(threshold * (1 + SAME));
    Double above = edges.higher(threshold * (1 + SAME));
    if (below != null && Math.abs(below - threshold) <= threshold * SAME) {
      return Remark.good("bucket edges", asked + " lies on a bucket edge");
    }
    String near =
        below == null
            ? "the first edge is " + SnapshotText.number(above) + " s"
            : "the edges near it are " + SnapshotText.number(below) + " s and "
                + (above.isInfinite() ? "+Inf" : SnapshotText.number(above) + " s");
    return Remark.note("bucket edges",
        asked + " lies between two bucket edges: the engine's share is only bounded; " + near);
  }

  private static TreeSet<Double> edges(Observation observation, MetricConcept concept) {
    TreeSet<Double> edges = new TreeSet<>();
    List<Sample> samples = observation.of(concept);
    for (EngineMetric metric : MetricSnapshot.of(samples).metrics()) {
      if (metric instanceof EngineMetric.Histogram histogram) {
        edges.addAll(histogram.buckets().keySet());
      }
    }
    return edges;
  }
}
