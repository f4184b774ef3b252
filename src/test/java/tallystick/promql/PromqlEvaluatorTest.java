package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PromqlEvaluatorTest {
  private final SeriesStore store = new SeriesStore();

  @Test
  void anInstantSelectorLooksBackFiveMinutes() {
    put("x", Map.of(), 0, 1);
    assertThat(ask("x", 300_000, PrometheusVersion.V2_42)).containsEntry("x{}", 1.0);
    assertThat(ask("x", 300_000, PrometheusVersion.V3)).isEmpty();
    assertThat(ask("x", 300_001, PrometheusVersion.V2_42)).isEmpty();
    assertThat(ask("x offset 5m", 300_000, PrometheusVersion.V3)).containsEntry("x{}", 1.0);
  }

  @Test
  void aTimeBeyondTheCalendarHasNoDay() {
    assertThat(ask("day_of_month(vector(time() - Inf))")).containsEntry("{}", Double.NaN);
    assertThat(ask("year(vector(1e300))")).containsEntry("{}", Double.NaN);
    assertThat(ask("month(vector(NaN))")).containsEntry("{}", Double.NaN);
    assertThat(ask("year(vector(0))")).containsEntry("{}", 1970.0);
  }

  @Test
  void aStaleSeriesIsGoneAtOnce() {
    put("x", Map.of(), 0, 1);
    put("x", Map.of(), 15_000, StoredSeries.STALE);
    assertThat(ask("x", 15_000, PrometheusVersion.V2_42)).isEmpty();
    assertThat(ask("absent(x{job=\"a\"})", 15_000, PrometheusVersion.V3))
        .containsEntry("{job=\"a\"}", 1.0);
  }

  @Test
  void aComparisonFiltersAndKeepsTheNameUnlessItReturnsBool() {
    put("x", Map.of("a", "1"), 0, 3);
    put("x", Map.of("a", "2"), 0, 5);
    assertThat(ask("x > 4")).containsExactly(Map.entry("x{a=\"2\"}", 5.0));
    assertThat(ask("x > bool 4"))
        .containsEntry("{a=\"1\"}", 0.0)
        .containsEntry("{a=\"2\"}", 1.0);
    assertThat(ask("4 < x")).containsExactly(Map.entry("x{a=\"2\"}", 5.0));
  }

  @Test
  void nothingExceedsNaN() {
    put("good", Map.of(), 0, 0);
    put("all", Map.of(), 0, 0);
    assertThat(ask("good / all")).containsEntry("{}", Double.NaN);
    assertThat(ask("good / all > 0")).isEmpty();
    assertThat(ask("good / (all > 0)")).isEmpty();
  }

  @Test
  void vectorsArePairedByTheirLabels() {
    put("a", Map.of("m", "1", "pod", "x"), 0, 6);
    put("a", Map.of("m", "1", "pod", "y"), 0, 8);
    put("b", Map.of("m", "1", "team", "t"), 0, 2);
    assertThat(ask("a / on(m) group_left(team) b"))
        .containsEntry("{m=\"1\",pod=\"x\",team=\"t\"}", 3.0)
        .containsEntry("{m=\"1\",pod=\"y\",team=\"t\"}", 4.0);
    assertThatThrownBy(() -> ask("a / on(m) b")).hasMessageContaining("multiple matches");
    assertThatThrownBy(() -> ask("b / on(m) a")).hasMessageContaining("several series");
    assertThat(ask("a and on(m) b")).hasSize(2);
    assertThat(ask("a unless on(m) b")).isEmpty();
    assertThat(ask("a or b")).hasSize(3);
  }

  @Test
  void aggregationsGroupByOrWithout() {
    put("x", Map.of("m", "1", "pod", "x"), 0, 6);
    put("x", Map.of("m", "1", "pod", "y"), 0, 8);
    assertThat(ask("sum by (m) (x)")).containsExactly(Map.entry("{m=\"1\"}", 14.0));
    assertThat(ask("avg without (pod) (x)")).containsExactly(Map.entry("{m=\"1\"}", 7.0));
    assertThat(ask("max(x) - min(x)")).containsExactly(Map.entry("{}", 2.0));
    assertThat(ask("count(x)")).containsExactly(Map.entry("{}", 2.0));
  }

  @Test
  void clampHidesALowRate() {
    put("x", Map.of(), 0, 0.04);
    assertThat(ask("x / clamp_min(x, 1)")).containsEntry("{}", 0.04);
    assertThat(ask("x / (x > 0)")).containsEntry("{}", 1.0);
  }

  @Test
  void aFunctionItCannotComputeIsNamed() {
    assertThatThrownBy(() -> ask("holt_winters(x[5m], 0.5, 0.5)"))
        .isInstanceOf(NotUnderstoodException.class)
        .hasMessage("not understood: function holt_winters");
  }

  @Test
  void aSubqueryIsEvaluatedAtMultiplesOfItsStep() {
    for (int second = 0; second <= 600; second += 10) {
      put("x", Map.of(), second * 1000, second);
    }
    assertThat(new PromqlEvaluator(store, PrometheusVersion.V2_42)
            .vector(PromqlParser.parse("sum_over_time(x[2m:1m])"), 245_000)
            .elements())
        .extracting(Value.Element::value)
        .containsExactly(180.0 + 240.0);
    assertThat(new PromqlEvaluator(store, PrometheusVersion.V3)
            .vector(PromqlParser.parse("count_over_time(x[2m:1m])"), 240_000)
            .elements())
        .extracting(Value.Element::value)
        .containsExactly(2.0);
    assertThat(new PromqlEvaluator(store, PrometheusVersion.V2_42)
            .vector(PromqlParser.parse("count_over_time(x[2m:1m])"), 240_000)
            .elements())
        .extracting(Value.Element::value)
        .containsExactly(3.0);
  }

  private void put(String name, Map<String, String> labels, long atMillis, double value) {
    store.append(Labels.of(name, labels), atMillis, value);
  }

  private Map<String, Double> ask(String text) {
    return ask(text, 1000, PrometheusVersion.V2_42);
  }

  private Map<String, Double> ask(String text, long atMillis, PrometheusVersion version) {
    Map<String, Double> answers = new TreeMap<>();
    new PromqlEvaluator(store, version)
        .vector(PromqlParser.parse(text), atMillis)
        .elements()
        .forEach(element -> answers.put(element.labels().toString(), element.value()));
    return answers;
  }
}
