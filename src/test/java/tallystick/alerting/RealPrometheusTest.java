package tallystick.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;
import tallystick.promql.Labels;
import tallystick.promql.PromqlEvaluator;
import tallystick.promql.PromqlParser;
import tallystick.promql.RecordedSeries;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;
import tallystick.promql.Value;
import tallystick.runrecord.MemoryRun;

/**
 * The same series in a real Prometheus, backfilled, and in our own store: every answer agrees. The
 * Prometheus is the first on the path, 2.x or 3.x.
 */
@NeedsProgram("promtool")
class RealPrometheusTest {
  private static final double TOLERANCE = 1e-9;
  private static final long EPOCH = BackfilledPrometheus.EPOCH_SECONDS;
  private static final List<String> QUERIES =
      List.of(
          "sum by (model_name) (rate(vllm:generation_tokens_total[5m]))",
          "histogram_quantile(0.95, sum by (le, model_name)"
              + " (rate(vllm:time_to_first_token_seconds_bucket[5m])))",
          "histogram_quantile(0.99,"
              + " sum by (le) (rate(vllm:inter_token_latency_seconds_bucket[2m])))",
          "1 - sum(rate(vllm:time_to_first_token_seconds_bucket{le=\"1.0\"}[1m]))"
              + " / sum(rate(vllm:time_to_first_token_seconds_count[1m])) > 0.01",
          "max(max_over_time(vllm:kv_cache_usage_perc[5m]))",
          "sum(avg_over_time(vllm:num_requests_waiting[5m]))",
          "vllm:num_requests_running > 10 and on(model_name) vllm:num_requests_waiting >= 0",
          "sum(increase(vllm:request_success_total[3m])) by (finished_reason)",
          "up == bool 1",
          "absent(vllm:no_such_metric{job=\"vllm\"})");

  /** What users' rules have beyond that; x is a gauge, c a counter that resets, both with gaps. */
  private static final List<String> FUNCTIONS =
      List.of(
          "topk(2, x)", "bottomk(1, x)", "topk by (kind) (1, x)", "bottomk without (id) (1, x)",
          "topk(0, x)", "topk(scalar(vector(2)), x)", "quantile(0.9, x)",
          "quantile by (kind) (0.25, x)", "quantile(1.2, x)", "stddev(x)", "stdvar by (kind) (x)",
          "count_values(\"v\", round(x))", "group by (kind) (x)",
          "irate(c[2m])", "idelta(x[2m])", "deriv(x[5m])", "deriv(c[3m] offset 1m)",
          "predict_linear(x[5m], 600)", "predict_linear(x[4m] offset 30s, -60)",
          "quantile_over_time(0.95, x[5m])", "quantile_over_time(-1, x[5m])",
          "stddev_over_time(x[5m])", "stdvar_over_time(x[90s])", "present_over_time(x[1m])",
          "last_over_time(x[2m])", "changes(c[5m])", "resets(c[10m])",
          "exp(x / 100)", "ln(x)", "log2(x)", "log10(abs(x) + 1)", "sqrt(x)", "sgn(x - 50)",
          "round(x, 5)", "round(x)", "round(-x, 0.5)", "ceil(x)", "floor(-x)", "sort_desc(x)",
          "clamp(x, 20, 60)", "clamp_min(x, 30)", "clamp_max(-x, -30)",
          "timestamp(x)", "timestamp(x + 1)", "timestamp((x))", "time() - timestamp(c)", "pi()",
          "hour()", "minute(vector(1.7e9))", "day_of_week()", "day_of_month()", "day_of_year()",
          "days_in_month()", "month()", "year()", "hour() >= 8 and hour() < 24",
          "label_replace(x, \"short\", \"$1-${1}x$9\", \"id\", \"s(.)\")",
          "label_replace(x, \"kind\", \"\", \"id\", \".*\")",
          "label_replace(x, \"k\", \"$$1\", \"id\", \"s1\")",
          "label_replace(x, \"n\", \"$first.\", \"id\", \"(?P<first>s).*\")",
          "label_replace(x, \"__name__\", \"y\", \"id\", \"s.\")",
          "label_join(x, \"both\", \"/\", \"kind\", \"id\")", "label_join(x, \"none\", \"\")",
          "x @ 1700000300", "x @ 1700000300 offset 1m", "rate(c[5m] @ 1700000600)",
          "sum(rate(c[2m])) - sum(rate(c[2m] @ 1700000300.5))", "x offset -1m",
          "max_over_time(rate(c[2m])[10m:30s])", "avg_over_time((x > 40)[5m:])",
          "min_over_time(sum(x)[5m:17s])", "quantile_over_time(0.5, sum by (kind) (x)[7m:1m])",
          "max_over_time(x[5m:1m] offset 2m)", "count_over_time(x[5m:1m] @ 1700000700)",
          "rate(sum(c)[10m:1m])", "deriv(rate(c[1m])[10m:30s])", "absent_over_time(nothing[5m:1m])",
          "max_over_time(max_over_time(x[1m])[5m:1m])",
          "sum_over_time((x > bool 50)[10m:1m]) / 10 > 0.5",
          "x > on(kind) group_left() avg by (kind) (x)", "x % 7", "x ^ 2", "x atan2 c",
          "count(x > 50) by (kind) or vector(0)", "-x", "+x", "x unless x > 50");

  @TempDir private Path folder;

  @Test
  void everyAnswerAgreesForARun() throws Exception {
    MemoryRun run = RehearsedRuns.brief(RehearsedRuns.Mix.LONG_PROMPTS, 5);
    SeriesStore all = RecordedSeries.of(run, 15_000, Map.of());
    SeriesStore store = new SeriesStore();
    for (StoredSeries series : all.all()) {
      String name = series.labels().name();
      if (name.startsWith("vllm:") || name.equals("up")) {
        copy(series, 0, store);
      }
    }
    int compared = compare(store, QUERIES, new long[] {61, 300, 307, 600, 795, 1000});
    assertThat(compared).isGreaterThan(50);
  }

  @Test
  void everyFunctionAgreesForRandomSeries() throws Exception {
    int compared =
        compare(random(20), FUNCTIONS, new long[] {59, 60, 300, 301, 615, 777, 900, 1199});
    assertThat(compared).isGreaterThan(1000);
  }

  private static void copy(StoredSeries series, long seconds, SeriesStore to) {
    for (int i = 0; i < series.size(); i++) {
      long whole = series.millis(i) / 1000;
      to.append(series.labels(), (whole + seconds) * 1000, series.value(i));
    }
  }

  /** The store at the time it has in Prometheus: calendars and subqueries look at the clock. */
  private static SeriesStore shifted(SeriesStore store) {
    SeriesStore shifted = new SeriesStore();
    store.all().forEach(series -> copy(series, EPOCH, shifted));
    return shifted;
  }

  private static SeriesStore random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SeriesStore store = new SeriesStore();
    for (int id = 1; id <= 5; id++) {
      Map<String, String> labels = Map.of("id", "s" + id, "kind", id % 2 == 0 ? "even" : "odd");
      double counter = 0;
      for (long second = id; second <= 1200; second += 15) {
        boolean hole = random.nextInt(6) == 0;
        counter = random.nextInt(25) == 0 ? random.nextInt(5) : counter + random.nextInt(40);
        double gauge = Math.rint(random.nextDouble() * 1000) / 10;
        if (!hole) {
          store.append(Labels.of("x", labels), second * 1000, gauge);
          store.append(Labels.of("c", labels), second * 1000, counter);
        }
      }
    }
    return store;
  }

  private int compare(SeriesStore store, List<String> queries, long[] seconds) throws Exception {
    int compared = 0;
    PromqlEvaluator evaluator =
        new PromqlEvaluator(shifted(store), BackfilledPrometheus.version());
    try (BackfilledPrometheus prometheus = BackfilledPrometheus.of(store, folder)) {
      for (String query : queries) {
        for (long second : seconds) {
          Map<String, Double> theirs = prometheus.answer(query, second);
          Map<String, Double> ours = ours(evaluator, query, second);
          assertThat(ours.keySet()).as(query + " at " + second).isEqualTo(theirs.keySet());
          theirs.forEach(
              (labels, value) -> assertClose(query + " at " + second, ours.get(labels), value));
          compared += theirs.size();
        }
      }
    }
    return compared;
  }

  private static Map<String, Double> ours(
      PromqlEvaluator evaluator, String query, long second) {
    Value value = evaluator.evaluate(PromqlParser.parse(query), (EPOCH + second) * 1000);
    Map<String, Double> values = new TreeMap<>();
    if (value instanceof Value.Scalar scalar) {
      values.put("{}", scalar.value());
    } else {
      ((Value.Vector) value)
          .elements()
          .forEach(element -> values.put(element.labels().toString(), element.value()));
    }
    return values;
  }

  private static void assertClose(String query, double ours, double theirs) {
    boolean close =
        Double.compare(ours, theirs) == 0
            || ours == theirs
            || Math.abs(ours - theirs) <= TOLERANCE * Math.max(1e-3, Math.abs(theirs));
    assertThat(close).as("%s: ours %s, Prometheus %s", query, ours, theirs).isTrue();
  }
}
