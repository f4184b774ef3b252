package tallystick.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Regular expressions of rules: what Prometheus takes, in a time that the label bounds. */
class RegularExpressionTest {
  /** An engine that goes back and tries again needs years for some of these. */
  private static final Duration GENEROUS = Duration.ofSeconds(20);

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".*.*.*.*.*.*.*.*.*.*=x", "(.*a){12}b", "(a*)*b", "(a|a)*b", "(a|aa)+b", "(a+)+b",
        "((a{0,30}){0,30})b", "(a?){500}a{500}b", "(.*){10}(.*){10}b", "(?i)(a|b|ab)*c",
        "([a-z]+)*[A-Z]", "(\\w+\\s?)*:", ".{0,1000}b"
      })
  void noExpressionIsStillTryingOnALongLabel(String pattern) {
    LabelMatcher matcher = new LabelMatcher("x", LabelMatcher.Operator.MATCHES, pattern);
    boolean accepts = assertTimeoutPreemptively(GENEROUS, () -> matcher.accepts(label("a")));
    assertThat(accepts).isFalse();
  }

  @ParameterizedTest
  @MethodSource("tallystick.promql.RandomExpressions#patterns")
  void everyExpressionOfTheCorpusAnswersOnALongLabel(String pattern) {
    LabelMatcher matcher;
    try {
      matcher = new LabelMatcher("x", LabelMatcher.Operator.MATCHES, pattern);
    } catch (PromqlException e) {
      assertThat(e).hasMessageStartingWith("regular expression " + pattern);
      return;
    }
    boolean accepts = assertTimeoutPreemptively(GENEROUS, () -> matcher.accepts(label("ab")));
    assertThat(matcher.accepts(label("ab"))).isEqualTo(accepts);
  }

  /** Prometheus counts nested repetitions together, and the length of what they make is bounded. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a{1000}){2}", "((a{100}){100}){100}", "(a{2,}){501}", "(a{30}b{40}){30}", "a{1001}",
        "(?:a{500}|(c|d{2}){501}){1}", "([)(]{40}){26}", "(\\Q)(\\E{40}){26}", "(\\x{41}{40}){26}"
      })
  void moreThanAThousandRepetitionsAreRefused(String pattern) {
    assertThatThrownBy(() -> RegularExpression.read(pattern))
        .isInstanceOf(PromqlException.class)
        .isNotInstanceOf(NotUnderstoodException.class)
        .hasMessageContaining("regular expression " + pattern)
        .hasMessageContaining("repeat");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a{100}){10}", "((a{100}){0}){100}", "\\x{2028}{2}", "a{,2}{3}{,1}", "a{0010}{1000}",
        "(a{500}b{500}){2}", "[{](a{40}){25}", "\\pL{1000}", "(a{100})+(b{100})*", "[]a{1,9}]{999}"
      })
  void whatPrometheusCountsAsAThousandOrFewerIsRead(String pattern) {
    assertThat(RegularExpression.read(pattern)).isNotNull();
  }

  @Test
  void aParenthesisThatClosesNothingIsNamed() {
    assertThatThrownBy(() -> RegularExpression.read("a)(b")).hasMessageContaining("unexpected )");
  }

  private static Labels label(String part) {
    return Labels.of(Map.of("x", part.repeat(1000 / part.length())));
  }
}
