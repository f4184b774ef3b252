package tallystick.alerting.lint;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The finite upper edges of a histogram, ascending.
 *
 * @param exposed whether a target was seen to have them; otherwise they are what the
 *     engine is built with
 */
public record BucketEdges(List<Double> edges, boolean exposed) {
  public BucketEdges {
    edges = edges.stream().filter(Double::isFinite).sorted().distinct().toList();
  }

  /** Whether a value is an edge. */
  public boolean has(double value) {
    return edges.contains(value);
  }

  /** The smallest edge. */
  public double first() {
    return edges.getFirst();
  }

  /** The largest finite edge. */
  public double last() {
    return edges.getLast();
  }

  /** The largest edge at or below a value; the first one if there is none. */
  public double below(double value) {
    return stream().filter(edge -> edge <= value).max().orElse(first());
  }

  /** The smallest edge at or above a value; the last one if there is none. */
  public double above(double value) {
    return stream().filter(edge -> edge >= value).min().orElse(last());
  }

  private DoubleStream stream() {
    return edges.stream().mapToDouble(Double::doubleValue);
  }
}
