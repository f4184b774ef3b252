package tallystick.alerting.lint;

import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import tallystick.runrecord.MetricConcept;

/**
 * The finite upper edges of a histogram, ascending.
 *
 * @param exposed whether a target was seen to have them; otherwise they are what vLLM's releases up
 *     to 0.32 are built with
 */
public record BucketEdges(List<Double> edges, boolean exposed) {
  private static final List<Double> TTFT =
      List.of(.001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1.0, 2.5, 5.0, 7.5, 10.0,
          20.0, 40.0, 80.0, 160.0, 640.0, 2560.0);
  private static final List<Double> ITL =
      List.of(.01, .025, .05, .075, .1, .15, .2, .3, .4, .5, .75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0,
          40.0, 80.0);
  private static final List<Double> REQUEST =
      List.of(.3, .5, .8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0,
          120.0, 240.0, 480.0, 960.0, 1920.0, 7680.0);

  public BucketEdges {
    edges = edges.stream().filter(Double::isFinite).sorted().distinct().toList();
  }

  /** The edges vLLM is built with; empty for a metric that is no latency of it. */
  static Optional<BucketEdges> builtIn(MetricConcept concept) {
    return switch (concept) {
      case TTFT -> Optional.of(new BucketEdges(TTFT, false));
      case ITL, TPOT -> Optional.of(new BucketEdges(ITL, false));
      case QUEUE_TIME, PREFILL_TIME, DECODE_TIME, INFERENCE_TIME, E2E ->
          Optional.of(new BucketEdges(REQUEST, false));
      default -> Optional.empty();
    };
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
