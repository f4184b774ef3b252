package tallystick.report;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import tallystick.analysis.result.Timeline;
import tallystick.analysis.result.Timeline.Track;

/** A made-up minute in which a small KV cache runs full between 22 s and 44 s. */
final class SampleTimeline {
  private SampleTimeline() {}

  static Timeline of(String owner) {
    return new Timeline(
        1,
        List.of(
            client("ttft_p50", "seconds", t -> 0.061 + 0.55 * pressure(t)),
            client("ttft_p95", "seconds", t -> 0.14 + 1.3 * pressure(t)),
            client("itl_p50", "seconds", t -> 0.0163 + 0.004 * pressure(t)),
            client("itl_p99", "seconds", t -> 0.031 + 0.55 * pressure(t)),
            client("output_tokens_per_second", "tokens/s", t -> 1060 - 160 * pressure(t))),
        List.of(
            engine(owner, "num_requests_waiting", "requests", t -> Math.rint(13 * pressure(t - 1))),
            engine(owner, "num_requests_running", "requests", t -> Math.rint(9 + 7 * pressure(t))),
            engine(
                owner, "kv_cache_usage_perc", "ratio",
                t -> Math.min(1, 0.52 + 0.6 * pressure(t))),
            engine(owner, "num_preemptions", "count", t -> Math.rint(4.4 * pressure(t - 1))),
            engine(
                owner, "generation_tokens_per_second", "tokens/s",
                t -> 1064 - 150 * pressure(t))));
  }

  private static double pressure(double t) {
    double rise = 1 / (1 + Math.exp(-(t - 25) / 1.6));
    double fall = 1 / (1 + Math.exp((t - 43) / 1.8));
    return rise * fall;
  }

  // Bins 50 and 51 had no first token: a hole. Bin 57 stands alone between two holes.
  private static Track client(String name, String unit, DoubleUnaryOperator shape) {
    double[] seconds = new double[60];
    double[] values = new double[60];
    SplittableRandom noise = new SplittableRandom(name.hashCode());
    for (int i = 0; i < 60; i++) {
      seconds[i] = i + 0.5;
      boolean hole = i == 50 || i == 51 || i == 56 || i == 58;
      double wobble = 0.88 + 0.24 * noise.nextDouble();
      values[i] = hole ? Double.NaN : shape.applyAsDouble(seconds[i]) * wobble;
    }
    return new Track(name, unit, "", seconds, values);
  }

  // The scrape at 34 s failed.
  private static Track engine(
      String owner, String name, String unit, DoubleUnaryOperator shape) {
    double[] seconds = new double[61];
    double[] values = new double[61];
    for (int i = 0; i <= 60; i++) {
      seconds[i] = i + 0.02;
      values[i] = i == 34 ? Double.NaN : shape.applyAsDouble(seconds[i]);
    }
    return new Track(name, unit, owner, seconds, values);
  }
}
