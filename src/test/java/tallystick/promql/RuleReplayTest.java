package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleReplayTest {
  private static final long STEP = 15_000;
  private final SeriesStore store = new SeriesStore();

  @Test
  void anAlertFiresAfterItsHoldAndResolvesAtTheFirstFalseEvaluation() {
    values(0, 1, 1, 1, 1, 0, 0, 1, 0);
    Firing only = replay("x > 0", 30_000, 0).getFirst();
    assertThat(only.activeMillis()).isEqualTo(STEP);
    assertThat(only.firedMillis()).isEqualTo(3 * STEP);
    assertThat(only.resolvedMillis()).isEqualTo(5 * STEP);
    assertThat(only.labels().get("alertname")).isEqualTo("A");
  }

  @Test
  void oneMissingEvaluationStartsTheHoldAnew() {
    values(1, 1, Double.NaN, 1, 1, 1);
    assertThat(replay("x > 0", 30_000, 0))
        .singleElement()
        .returns(5 * STEP, Firing::firedMillis);
  }

  @Test
  void keepFiringForBridgesAGapAndDelaysTheEnd() {
    values(1, 0, 1, 0, 0, 0, 0);
    assertThat(replay("x > 0", 0, 30_000))
        .singleElement()
        .returns(0L, Firing::firedMillis)
        .returns(5 * STEP, Firing::resolvedMillis);
    assertThat(replay("x > 0", 0, 0)).hasSize(2);
  }

  @Test
  void anAlertThatStillFiresHasNoEnd() {
    values(0, 1);
    assertThat(replay("x > 0", 0, 0)).singleElement().returns(true, f -> f.covers(99 * STEP));
  }

  @Test
  void alertsAreASeriesThatLaterRulesCanSee() {
    values(0, 1, 1, 0);
    replay("x > 0", STEP, 0);
    PromqlEvaluator evaluator = new PromqlEvaluator(store, PrometheusVersion.V2_42);
    Expression firing = PromqlParser.parse("ALERTS{alertstate=\"firing\"}");
    Expression pending = PromqlParser.parse("ALERTS{alertstate=\"pending\"}");
    assertThat(evaluator.vector(pending, STEP).elements()).hasSize(1);
    assertThat(evaluator.vector(pending, 2 * STEP).elements()).isEmpty();
    assertThat(evaluator.vector(firing, 2 * STEP).elements()).hasSize(1);
    assertThat(evaluator.vector(firing, 3 * STEP).elements()).isEmpty();
  }

  private void values(double... values) {
    for (int i = 0; i < values.length; i++) {
      store.append(Labels.of("x", Map.of("model_name", "m")), i * STEP, values[i]);
    }
  }

  private List<Firing> replay(String expression, long hold, long keep) {
    SeriesStore copy = new SeriesStore();
    store.all().stream()
        .filter(series -> series.labels().name().equals("x"))
        .forEach(
            series -> {
              for (int i = 0; i < series.size(); i++) {
                copy.append(series.labels(), series.millis(i), series.value(i));
              }
            });
    RuleGroup.Alert rule =
        new RuleGroup.Alert(
            "A", PromqlParser.parse(expression), hold, keep, Map.of("severity", "page"));
    RuleReplay replay =
        new RuleReplay(
            copy, PrometheusVersion.V2_42, List.of(new RuleGroup("g", 0, List.of(rule))));
    List<Firing> firings = replay.run(0, 9 * STEP, STEP);
    copy.all().stream()
        .filter(series -> series.labels().name().equals("ALERTS"))
        .filter(series -> store.select(nameOf(series)).isEmpty())
        .forEach(
            series -> {
              for (int i = 0; i < series.size(); i++) {
                store.append(series.labels(), series.millis(i), series.value(i));
              }
            });
    return firings;
  }

  private static List<LabelMatcher> nameOf(StoredSeries series) {
    return series.labels().values().entrySet().stream()
        .map(entry -> LabelMatcher.equal(entry.getKey(), entry.getValue()))
        .toList();
  }
}
