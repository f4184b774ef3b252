package tallystick.alerting.watch;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import tallystick.promql.Labels;
import tallystick.promql.PromqlEvaluator;
import tallystick.promql.PromqlParser;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.SeriesStore;
import tallystick.promql.Value;

/**
 * A Prometheus of one's own over two days of one engine. On the first its users wait for twenty
 * minutes, once; on the second prompts are longer, and more requests queue, though nobody waits too
 * long. For forty minutes nothing was scraped.
 */
record MadeHistory(SeriesStore store, PrometheusVersion version) implements MetricHistory {
  static final long DAY = 86_400_000;
  static final long HOUR = 3_600_000;

  /** Nov 14, 2023: a day of UTC; a whole second of what a backfilled Prometheus holds. */
  static final long START = 19_675 * DAY;

  static final String RULES =
      """
      groups:
      - name: vllm-slo
        interval: 30s
        rules:
        - record: model:vllm_ttft_bad:ratio_rate5m
          expr: |-
            1 - (
              sum by (model_name)
              (rate(vllm:time_to_first_token_seconds_bucket{model_name="m",le="1.0"}[5m]))
              / sum by (model_name)
              (rate(vllm:time_to_first_token_seconds_count{model_name="m"}[5m])))
        - record: model:vllm_ttft_count:increase5m
          expr: |-
            sum by (model_name)
            (increase(vllm:time_to_first_token_seconds_count{model_name="m"}[5m]))
        - record: model:vllm_queue_time_seconds:p95_5m
          expr: |-
            histogram_quantile(0.95, sum by (le, model_name)
            (rate(vllm:request_queue_time_seconds_bucket{model_name="m"}[5m])))
        # the objective's 1 s is a bucket edge
        # bad_ratio: threshold 0.02, 90 % interval [0.02, 0.02], clears at 0.001
        #   windows: 40 met, 18 violated, 0 not proven; area under the curve 1.000 [1.000, 1.000]
        - alert: Missed
          expr: model:vllm_ttft_bad:ratio_rate5m > 0.02
          for: 30s
          keep_firing_for: 2m
          labels: {severity: ticket}
          annotations:
            valid_for: vLLM 0.32.0, model m, engine x, mixes given, objective ttft <= 1.0 s for 0.99
        # queue_p95: threshold 0.5, 90 % interval [0.5, 0.5], clears at 0.3
        #   windows: 40 met, 18 violated, 0 not proven; area under the curve 1.000 [1.000, 1.000]
        - alert: Queue
          expr: |-
            model:vllm_queue_time_seconds:p95_5m > 0.5
            and
            model:vllm_ttft_count:increase5m >= 100
          for: 30s
        # no threshold: presence only
        - alert: Down
          expr: up{job="vllm"} == 0
      """;

  MadeHistory(SeriesStore store) {
    this(store, PrometheusVersion.V2_42);
  }

  /** With samples every 30 s. */
  static MadeHistory twoDays() {
    SeriesStore store = new SeriesStore();
    long[] sums = new long[10];
    for (long at = 0; at <= 2 * DAY; at += 30_000) {
      boolean isSecond = at > DAY;
      boolean isBad = at > 12 * HOUR && at <= 12 * HOUR + 20 * 60_000;
      int requests = 60; // in 30 s
      sums[0] += requests;
      sums[1] += isBad ? requests / 2 : requests;
      sums[2] += requests - (isSecond ? 12 : 0) - (isBad ? 30 : 0);
      sums[3] += requests;
      sums[4] += requests * (isSecond ? 1900L : 400L);
      sums[5] += requests * 100L;
      if (at > 20 * HOUR && at < 20 * HOUR + 40 * 60_000) {
        continue;
      }
      long utc = START + at;
      add(store, "up", "", utc, 1);
      String ttft = "vllm:time_to_first_token_seconds";
      add(store, ttft + "_count", "", utc, sums[0]);
      add(store, ttft + "_bucket", "1.0", utc, sums[1]);
      add(store, ttft + "_bucket", "+Inf", utc, sums[0]);
      String queue = "vllm:request_queue_time_seconds_bucket";
      add(store, queue, "0.3", utc, sums[2]);
      add(store, queue, "0.5", utc, sums[1]);
      add(store, queue, "+Inf", utc, sums[0]);
      for (String kind : List.of("prompt", "generation")) {
        String lengths = "vllm:request_" + kind + "_tokens";
        add(store, lengths + "_sum", "", utc, kind.equals("prompt") ? sums[4] : sums[5]);
        add(store, lengths + "_count", "", utc, sums[0]);
        add(store, lengths + "_bucket", "5000.0", utc, sums[0]);
        add(store, lengths + "_bucket", "+Inf", utc, sums[0]);
      }
    }
    return new MadeHistory(store);
  }

  private static void add(SeriesStore store, String name, String edge, long at, double value) {
    Labels labels =
        Labels.of(name, Map.of("model_name", "m", "job", "vllm", "instance", "a", "le", edge));
    store.append(name.equals("up") ? labels.with("model_name", "") : labels, at, value);
  }

  @Override
  public void range(String query, Steps steps, BiConsumer<Steps, SeriesStore> piece) {
    PromqlEvaluator evaluator = new PromqlEvaluator(store, version);
    SeriesStore values = new SeriesStore();
    for (int i = 0; i < steps.count(); i++) {
      Value value = evaluator.evaluate(PromqlParser.parse(query), steps.at(i));
      if (value instanceof Value.Vector vector) {
        for (Value.Element element : vector.elements()) {
          values.append(element.labels(), steps.at(i), element.value());
        }
      }
    }
    piece.accept(steps, values);
  }

  @Override
  public List<String> names() {
    return store.names();
  }
}
