package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
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
        "rate(x)|rate expects a range vector, found an instant vector|5",
        "x @ start()|not understood: @ start()|4",
        "1[5m:1m]|subquery expects an instant vector, found a scalar|0",
        "1 > 2|a comparison of scalars needs bool|2",
        "nosuch(x)|not understood: function nosuch|0",
        "sum by (le (x)|expected ,, found \"(\"|11",
        "x{a=1}|expected a string, found \"1\"|4",
        "{}|a selector must have a matcher that is not empty|0",
        "sum(x) +|the expression ends too early|8",
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

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "rate(x[300]), rate(x[5m])",
        "time() - y < 5m, time() - y < 300",
        "|sum by (\"model_name\") (x)|, sum by (model_name) (x)",
        "x > 1_000, x > 1000",
        "|x{a=\"\\x41\"}|, |x{a=\"A\"}|"
      })
  void whatPrometheusThreeReadsIsWrittenForBoth(String given, String written) {
    assertThat(rewritten(given)).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x{a=~\"(?=b)\"}", "x{a=~\"(?<!b)c\"}", "x{a=~\"(b)\\\\1\"}", "x{a=~\"b++\"}",
        "metric{__name__=\"other\"}", "topk(x, y)", "sum(x,)", "x * on (a) 2", "-\"a\"",
        "a % 3or b", "2unless a", "a # c\rb c", "0x1For a", "sum by (without) (a)",
        "x offset 5m offset 5m", "x{a=\"b\nc\"}", "x[5m:0s]", "group_left{a=\"b\"}"
      })
  void whatPrometheusRefusesIsRefused(String text) {
    assertThatThrownBy(() -> PromqlParser.parse(text))
        .isInstanceOf(PromqlException.class)
        .isNotInstanceOf(NotUnderstoodException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a.b\"}", "x{a=\"\\xff\"}", "a > 0.011_0", "0x1F_0", "x @ 5m"
      })
  void whatOnlyPrometheusHasIsNotUnderstood(String text) {
    assertThatThrownBy(() -> PromqlParser.parse(text)).isInstanceOf(NotUnderstoodException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "'a{,3}', 'a{,3}', aaa", "'[]a]+', ']a', b", "\\d+\\.5, 12.5, 1x5", "(?i)ab, AB, B",
    "[[:alpha:]_]+, a_b, a1", "\\Qa.b\\E, a.b, axb", "a|b$, b, c", "\\pL+, äb, 1",
    "[^\\s-]x, ax, -x", "5..|5xx, 503, 404", "\\x41\\_, A_, a_",
    "(?U)a+, aa, b", "(?m)^a$, a, b", "(?i)k, \u212a, l"
  })
  void anExpressionMatchesAsGosDoes(String pattern, String accepted, String refused) {
    String text = "x{a=~" + Labels.quoted(pattern) + "}";
    Expression.VectorSelector selector = (Expression.VectorSelector) PromqlParser.parse(text);
    LabelMatcher matcher = selector.matchers().getLast();
    assertThat(matcher.accepts(Labels.of(Map.of("a", accepted)))).isTrue();
    assertThat(matcher.accepts(Labels.of(Map.of("a", refused)))).isFalse();
  }

  private static String rewritten(String text) {
    return ExpressionText.of(PromqlParser.parse(text));
  }
}
