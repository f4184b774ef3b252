package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Distribution.Percentile;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.EngineDistribution.Bracket;
import tallystick.analysis.result.EngineDistribution.Bucket;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Latency;

/** Made-up distributions of both sides. */
final class SampleDistributions {
  private static final double[] LEVELS = {0.5, 0.9, 0.95, 0.99, 0.999};

  private SampleDistributions() {}

  /** A client distribution whose P99 exists from 368 samples on. */
  static Distribution client(
      long count, double mean, double maximum, double p50, double p90, double p95, double p99) {
    double[] values = {p50, p90, p95, p99};
    List<Percentile> percentiles = new ArrayList<>();
    int carried = count < 368 ? 3 : 4;
    for (int i = 0; i < carried; i++) {
      percentiles.add(
          new Percentile(
              LEVELS[i],
              Figure.of(values[i]),
              Figure.of(values[i] * 0.93),
              Figure.of(values[i] * 1.09),
              i == 3,
              Figure.of(count)));
    }
    if (carried < 4) {
      percentiles.add(missing(0.99, "n=" + count + ", need 368"));
    }
    percentiles.add(missing(0.999, "n=" + count + ", need 3688"));
    return new Distribution(
        count, Figure.of(mean), Figure.of(p50 / 3), Figure.of(maximum), percentiles, 0);
  }

  /** A distribution of so few samples that no percentile exists. */
  static Distribution tiny(long count, String reason) {
    List<Percentile> percentiles = new ArrayList<>();
    for (double level : LEVELS) {
      percentiles.add(missing(level, reason));
    }
    Figure none = Figure.missing(reason);
    return new Distribution(count, none, none, none, percentiles, 0);
  }

  private static Percentile missing(double level, String reason) {
    Figure none = Figure.missing(reason);
    return new Percentile(level, none, none, none, false, none);
  }

  static Map<Latency, EngineDistribution> engine() {
    return Map.of(
        Latency.TTFT,
        engine("vllm:time_to_first_token_seconds", 240, 0.2791, new double[][] {
            {0.1, 0.25}, {0.75, 1}, {1, 2.5}, {1, 2.5}
        }),
        Latency.ITL,
        engine("vllm:inter_token_latency_seconds", 30480, 0.0179, new double[][] {
            {0.01, 0.025}, {0.01, 0.025}, {0.025, 0.05}, {0.05, 0.075}
        }),
        Latency.TPOT,
        engine("vllm:request_time_per_output_token_seconds", 240, 0.0181, new double[][] {
            {0.01, 0.025}, {0.01, 0.025}, {0.025, 0.05}, {0.05, 0.075}
        }),
        Latency.E2E,
        engine("vllm:e2e_request_latency_seconds", 240, 2.561, new double[][] {
            {2, 2.5}, {2.5, 5}, {2.5, 5}, {5, 10}
        }),
        Latency.QUEUE,
        engine("vllm:request_queue_time_seconds", 240, 0.1603, new double[][] {
            {0, 0.3}, {0.5, 0.8}, {1, 1.5}, {1, 1.5}
        }),
        Latency.PREFILL,
        engine("vllm:request_prefill_time_seconds", 240, 0.1071, new double[][] {
            {0, 0.3}, {0, 0.3}, {0.3, 0.5}, {0.5, 0.8}
        }));
  }

  static EngineDistribution engine(String metric, double count, double mean, double[][] edges) {
    List<Bracket> brackets = new ArrayList<>();
    int carried = count < 368 ? 3 : 4;
    for (int i = 0; i < carried; i++) {
      brackets.add(new Bracket(LEVELS[i], Figure.of(edges[i][0]), Figure.of(edges[i][1])));
    }
    for (int i = carried; i < LEVELS.length; i++) {
      Figure none = Figure.missing("n=" + (long) count + ", need " + (i == 3 ? 368 : 3688));
      brackets.add(new Bracket(LEVELS[i], none, none));
    }
    List<Bucket> buckets =
        List.of(
            new Bucket(0.1, count * 0.4),
            new Bucket(0.25, count * 0.7),
            new Bucket(1, count * 0.93),
            new Bucket(2.5, count),
            new Bucket(Double.POSITIVE_INFINITY, count));
    return new EngineDistribution(metric, count, Figure.of(mean), brackets, buckets);
  }
}
