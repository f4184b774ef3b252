package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions no person writes: each is read, or is an error of the rule with its place. */
class HostileExpressionTest {
  private static final int MANY = 20_000;

  private static final List<String> WORDS =
      List.of(
          "a", "b{x=\"y\"}", "sum", "by", "(", ")", "[", "]", "{", "}", ",", ":", "@", "offset",
          "5m", "1h30m", "9999999999y", "0x1F", "0xFFFFFFFFFFFFFFFFF", "1e999", "017", ".5", "-",
          "+", "*", "/", "^", "%", "==", "!=", "=~", "!~", "<=", "bool", "on", "ignoring",
          "group_left", "and", "or", "unless", "rate", "histogram_quantile", "label_replace",
          "\"(a|b\"", "\"((((\"", "'x'", "`y`", "\"\\z\"", "# c\n", " ", "\n", "NaN", "inf",
          "start()", "quantile", "topk", "without", "time()", "vector(1)", "\u2028", "\ud800");

  @ParameterizedTest
  @ValueSource(strings = {"(", "sum(", "-", "{", "a+(", "a^", "rate(", "sum by (", "-(", "+"})
  void aThousandfoldNestIsAnErrorOfTheRule(String nested) {
    assertThatThrownBy(() -> PromqlParser.parse(nested.repeat(MANY)))
        .isInstanceOf(PromqlException.class);
  }

  @Test
  void whatIsNestedTooDeeplyIsNotCalledWrong() {
    String deep = "(".repeat(1000) + "a" + ")".repeat(1000);
    assertThatThrownBy(() -> PromqlParser.parse(deep))
        .isInstanceOf(NotUnderstoodException.class)
        .hasMessageContaining("nest");
    String wide = "a" + " or a".repeat(MANY);
    assertThatThrownBy(() -> PromqlParser.parse(wide))
        .isInstanceOf(NotUnderstoodException.class)
        .hasMessageContaining("operators");
  }

  @Test
  void aRuleOfFiveHundredOperandsInFiftyParenthesesIsRead() {
    String wide = "a > 5" + " or a > 5".repeat(400);
    Expression read = PromqlParser.parse("(".repeat(50) + wide + ")".repeat(50));
    assertThat(rewritten(ExpressionText.of(read))).isEqualTo(ExpressionText.of(read));
    assertThat(evaluated(read)).isNotNull();
  }

  @Test
  void anyNumberOfCommentLinesIsBlank() {
    assertThat(rewritten("# why\n".repeat(MANY) + "a")).isEqualTo("a");
    assertThat(rewritten(" \n\t".repeat(MANY) + "a # end")).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a[99999999999999999999y]", "a[9223372036854775807ms:1s]", "a offset 300000000y",
        "a > 0xFFFFFFFFFFFFFFFFFF", "a > 1e999", "a @ 1e300", "a @ 99999999999999999999", "a[300y]"
      })
  void aNumberOutOfRangeIsAnErrorOfTheRule(String text) {
    assertThatThrownBy(() -> PromqlParser.parse(text))
        .isInstanceOf(PromqlException.class)
        .hasMessageContaining("out of range");
  }

  @Test
  void aDurationOfManyPartsIsNoOverflow() {
    assertThatThrownBy(() -> PromqlParser.parse("a[" + "1s".repeat(MANY) + "]"))
        .isInstanceOf(PromqlException.class);
    assertThatThrownBy(() -> PromqlParser.parse("a[" + "9".repeat(MANY) + "]"))
        .isInstanceOf(PromqlException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"010", "0017", "00"})
  void aLeadingZeroMakesANumberOctalAsInPrometheus(String written) {
    assertThat(rewritten(written))
        .isEqualTo(Integer.toString(Integer.parseInt(written, 8)));
  }

  @Test
  void whatIsNoOctalIsDecimal() {
    assertThat(rewritten("089")).isEqualTo("89");
    assertThat(rewritten("010.5")).isEqualTo("10.5");
  }

  @Test
  void aRegularExpressionOfManyGroupsIsAnAnswerOrAnErrorOfTheRule() {
    String deep = "(".repeat(MANY) + ")".repeat(MANY);
    assertThatThrownBy(() -> PromqlParser.parse("a{b=~\"" + deep + "\"}"))
        .isInstanceOf(PromqlException.class)
        .hasMessageContaining("nests too deeply");
    LabelMatcher wide = new LabelMatcher("b", LabelMatcher.Operator.MATCHES, "a?".repeat(MANY));
    Labels none = Labels.EMPTY.with("b", "c".repeat(MANY));
    assertThatThrownBy(() -> wide.accepts(none)).isInstanceOf(NotUnderstoodException.class);
    LabelMatcher many = new LabelMatcher("b", LabelMatcher.Operator.MATCHES, "(x|y)*");
    Labels labels = Labels.EMPTY.with("b", "xy".repeat(MANY));
    assertThat(many.accepts(labels)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_over_time(vector(1)[11y:1s])",
        "max_over_time(max_over_time(vector(1)[1d:1s])[1d:1s])"
      })
  void aSubqueryOfTooManyStepsIsAnErrorOfTheRule(String text) {
    Expression read = PromqlParser.parse(text);
    assertThatThrownBy(() -> evaluated(read))
        .isInstanceOf(NotUnderstoodException.class)
        .hasMessageContaining("steps");
  }

  @Test
  void aSubqueryThatIsRefusedHasCostNothing() {
    Expression read = PromqlParser.parse("max_over_time(sum(a)[10w:1m])");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> evaluated(read)).isInstanceOf(NotUnderstoodException.class);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(8L << 20);
  }

  @Test
  void aSubqueryOfAMonthByTheMinuteIsEvaluated() {
    assertThat(evaluated(PromqlParser.parse("sum_over_time(vector(1)[30d:1m])")).toString())
        .contains("43200");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void noExpressionOfWordsAtRandomIsMoreThanAnErrorOfTheRule(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 25_000; i++) {
      String text = random.nextInt(4) == 0 ? mutated(random) : atRandom(random);
      try {
        Expression read = PromqlParser.parse(text);
        evaluated(read);
        assertThat(rewritten(ExpressionText.of(read))).isEqualTo(ExpressionText.of(read));
      } catch (PromqlException e) {
        assertThat(e.offset()).as(text).isBetween(0, text.length());
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ": " + text, e);
      }
    }
  }

  private static String atRandom(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int words = 1 + random.nextInt(14);
    for (int i = 0; i < words; i++) {
      text.append(WORDS.get(random.nextInt(WORDS.size()))).append(random.nextBoolean() ? " " : "");
    }
    return text.toString();
  }

  /** A rule as people write it, with a few of its characters swapped, doubled or dropped. */
  private static String mutated(SplittableRandom random) {
    StringBuilder text =
        new StringBuilder(
            "histogram_quantile(0.95, sum by (le, model_name) (rate(vllm:ttft_bucket{a=~\"b|c\"}"
                + "[5m] offset 1m))) > 0.5 and on(x) group_left() (avg_over_time(y[1h:1m]) @ 3)");
    for (int i = random.nextInt(6); i >= 0; i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.setCharAt(at, (char) (' ' + random.nextInt(95)));
        case 1 -> text.insert(at, text.charAt(random.nextInt(text.length())));
        default -> text.deleteCharAt(at);
      }
    }
    return text.toString();
  }

  private static Value evaluated(Expression expression) {
    SeriesStore store = new SeriesStore();
    List<String> names = new ArrayList<>(List.of("a", "b"));
    for (int i = 0; i < 10; i++) {
      for (String name : names) {
        store.append(Labels.EMPTY.with(Labels.NAME, name).with("x", "y"), 1000L * i, i);
      }
    }
    return new PromqlEvaluator(store, PrometheusVersion.values()[0]).evaluate(expression, 9000);
  }

  private static String rewritten(String text) {
    return ExpressionText.of(PromqlParser.parse(text));
  }
}
