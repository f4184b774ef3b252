package tallystick.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;

class MetricSnapshotTest {

  @Test
  void putsTheFourKindsTogether() throws IOException {
    MetricSnapshot snapshot =
        snapshot(
            """
            # TYPE vllm:num_requests_running gauge
            vllm:num_requests_running{engine="0"} 3
            # TYPE vllm:request_success_total counter
            vllm:request_success_total{engine="0",finished_reason="stop"} 7
            vllm:request_success_created{engine="0",finished_reason="stop"} 1.7e9
            # TYPE vllm:e2e_request_latency_seconds histogram
            vllm:e2e_request_latency_seconds_bucket{engine="0",le="1"} 2
            vllm:e2e_request_latency_seconds_bucket{engine="0",le="+Inf"} 3
            vllm:e2e_request_latency_seconds_count{engine="0"} 3
            vllm:e2e_request_latency_seconds_sum{engine="0"} 4.5
            # TYPE vllm:spec_decode_num_accepted_tokens_per_pos_total counter
            vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",position="1"} 4
            vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",position="0"} 9
            """);
    TreeMap<String, String> engine = new TreeMap<>(Map.of("engine", "0"));
    TreeMap<String, String> stop = new TreeMap<>(engine);
    stop.put("finished_reason", "stop");
    assertThat(snapshot.metrics())
        .containsExactly(
            new EngineMetric.Gauge("vllm:num_requests_running", engine, 3),
            new EngineMetric.Counter(
                "vllm:request_success", stop, 7, "vllm:request_success_total"),
            new EngineMetric.Histogram(
                "vllm:e2e_request_latency_seconds",
                engine,
                3,
                4.5,
                new TreeMap<>(Map.of(1.0, 2.0, Double.POSITIVE_INFINITY, 3.0))),
            new EngineMetric.Vector(
                "vllm:spec_decode_num_accepted_tokens_per_pos", engine, List.of(9.0, 4.0)));
  }

  @Test
  void keepsTheHistogramNamedTotalWhole() throws IOException {
    MetricSnapshot snapshot = recorded("metrics-after1.prom");
    assertThat(snapshot.metrics())
        .filteredOn(metric -> metric.name().equals("vllm:iteration_tokens_total"))
        .singleElement()
        .satisfies(one -> assertThat(((EngineMetric.Histogram) one).buckets()).hasSize(14));
  }

  @Test
  void leavesOutWhatIsNotVllmsOwn() throws IOException {
    assertThat(recorded("metrics-idle.prom").ofEngine().metrics())
        .isNotEmpty()
        .allMatch(metric -> metric.name().startsWith("vllm:"))
        .noneMatch(metric -> metric.name().endsWith("_created"));
  }

  @Test
  void reducesBothSpellingsToTheSameMetrics() throws IOException {
    List<EngineMetric> plain = recorded("metrics-idle.prom").ofEngine().metrics();
    byte[] body = Fixtures.bytes("metrics-openmetrics.txt");
    List<EngineMetric> escaped =
        MetricSnapshot.of(new ExpositionParser().parse(body, "application/openmetrics-text"))
            .ofEngine()
            .metrics();
    assertThat(escaped)
        .extracting(metric -> metric.getClass() + metric.name().replace("vllm_", "vllm:"))
        .containsAll(
            plain.stream().map(metric -> metric.getClass() + metric.name()).distinct().toList());
  }

  @Test
  void writesJsonThatSurvivesNotANumber() throws IOException {
    String json =
        SnapshotText.json(
            snapshot("# TYPE a gauge\na{b=\"c\"} NaN\n"), "http://x", 5, Map.of("a>1", "no"));
    assertThat(json)
        .isEqualTo(
            "{\"url\":\"http://x\",\"utc_ns\":5,\"metrics\":[{\"type\":\"gauge\",\"name\":\"a\","
                + "\"labels\":{\"b\":\"c\"},\"value\":\"NaN\"}],"
                + "\"warnings\":{\"a>1\":\"no\"}}");
  }

  @ParameterizedTest
  @CsvSource({
    "kv_cache_usage_perc>0.95, 0.96, true", "kv_cache_usage_perc>0.95, 0.95, false",
    "vllm:kv_cache_usage_perc >= 0.95, 0.95, true", "kv_cache_usage_perc<0.5, 0.96, false",
    "kv_cache_usage_perc!=0, 0, false", "kv_cache_usage_perc<=1, 1, true"
  })
  void judgesASampleByTheUsersRule(String rule, double value, boolean holds) {
    Series series = Series.of("vllm:kv_cache_usage_perc", Map.of(), Series.Type.GAUGE);
    assertThat(HealthRule.parse(rule).matches(List.of(new Sample(series, value))))
        .hasSize(holds ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "kv>", ">5", "kv=5", "kv>abc", "kv > 5 6", "a b>1"})
  void saysHowToWriteARule(String rule) {
    assertThatThrownBy(() -> HealthRule.parse(rule))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kv_cache_usage_perc>0.95");
  }

  private static MetricSnapshot recorded(String file) throws IOException {
    return MetricSnapshot.of(new ExpositionParser().parse(Fixtures.bytes(file), "text/plain"));
  }

  private static MetricSnapshot snapshot(String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return MetricSnapshot.of(new ExpositionParser().parse(bytes, "text/plain"));
  }
}
