package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PromqlParserTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "up == 0",
        "vllm:x{le=\"2.5\",engine!~\"0|1\"}",
        "histogram_quantile(0.95, sum by (le, model_name) (rate(x_bucket[5m])))",
        "a / on(cluster) group_left(team) b",
        "a and ignoring(le) b or c unless on() d",
        "sum without (pod) (rate(x[90m] offset 5m))",
        "topk(3, sum by (pod) (x))",
        "(a - b) * 2 ^ 3 ^ 2",
        "count(ALERTS{alertstate=\"firing\"}) or vector(0)",
        "x > bool 1",
        "{__name__=~\"vllm:.*\"} offset -1h",
        "max_over_time(rate(x[1m] @ 5)[10m:30s] @ 1.5 offset 1m)",
        "avg_over_time((a:b > 1)[1h:])",
        "label_replace(x, \"a\", \"$1\", \"b\", \"(.*)\")"
      })
  void writesWhatItRead(String text) {
    assertThat(rewritten(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rate(x)|rate expects a range vector, found a instant vector|5",
        "x @ start()|not understood: @ start()|4",
        "1[5m:1m]|subquery expects a instant vector, found a scalar|0",
        "1 > 2|a comparison of scalars needs bool|2",
        "nosuch(x)|not understood: function nosuch|0",
        "sum by (le (x)|expected ,, found \"(\"|11",
        "x{a=1}|expected a string, found \"1\"|4",
        "{}|a selector must have a matcher that is not empty|0",
        "sum(x) +|unexpected the end|8",
        "x and 1|and cannot take a scalar|2"
      })
  void saysWhatIsWrongAndWhere(String text, String message, int offset) {
    assertThatThrownBy(() -> PromqlParser.parse(text))
        .isInstanceOfSatisfying(
            PromqlException.class, e -> assertThat(e.offset()).isEqualTo(offset))
        .hasMessage(message);
  }

  @Test
  void powersBindTighterThanASignAndToTheRight() {
    SeriesStore none = new SeriesStore();
    PromqlEvaluator evaluator = new PromqlEvaluator(none, PrometheusVersion.V3);
    assertThat(evaluator.scalar(PromqlParser.parse("-2 ^ 2"), 0)).isEqualTo(-4);
    assertThat(evaluator.scalar(PromqlParser.parse("2 ^ 3 ^ 2"), 0)).isEqualTo(512);
    assertThat(evaluator.scalar(PromqlParser.parse("1 + 2 * 3 % 4 # rest"), 0)).isEqualTo(3);
  }

  /** Time that grows with the square of the length would take more than a minute. */
  @Test
  @Timeout(20)
  void aLongNameOrValueIsReadInTimeThatGrowsWithItsLength() {
    String longText = "a".repeat(100_000);
    assertThat(rewritten(longText + "{le=\"" + longText + "\"}"))
        .hasSizeGreaterThan(200_000);
  }

  private static String rewritten(String text) {
    return ExpressionText.of(PromqlParser.parse(text));
  }
}
