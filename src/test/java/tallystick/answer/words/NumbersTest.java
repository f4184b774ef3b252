package tallystick.answer.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Figure;

class NumbersTest {
  @Test
  void showsThreeDigitsThatCount() {
    assertThat(Numbers.number(0.41)).isEqualTo("0.410");
    assertThat(Numbers.number(3.885)).isEqualTo("3.89");
    assertThat(Numbers.number(497.1)).isEqualTo("497");
    assertThat(Numbers.number(12345.6)).isEqualTo("12,346");
    assertThat(Numbers.number(999.96)).isEqualTo("1,000");
    assertThat(Numbers.number(-0.0321)).isEqualTo("-0.0321");
    assertThat(Numbers.number(0)).isEqualTo("0");
  }

  @Test
  void keepsEveryDigitOfACount() {
    assertThat(Numbers.count(1234567.0)).isEqualTo("1,234,567");
    assertThat(Numbers.count(Figure.missing("no usage"))).isEqualTo("n/a (no usage)");
  }

  @Test
  void showsAFractionWhereACountShouldBeWhole() {
    assertThat(Numbers.count(14.47)).isEqualTo("14.5");
  }

  @Test
  void neverRoundsAlmostAllToAll() {
    assertThat(Numbers.percent(0.999999)).isEqualTo("> 99.99 %");
    assertThat(Numbers.percent(1)).isEqualTo("100 %");
    assertThat(Numbers.percent(0.000001)).isEqualTo("< 0.01 %");
    assertThat(Numbers.percent(0)).isEqualTo("0 %");
    assertThat(Numbers.percent(0.9934)).isEqualTo("99.34 %");
  }

  @Test
  void choosesTheUnitByTheFigure() {
    assertThat(Numbers.latency(Figure.of(0.0821))).isEqualTo("82.1 ms");
    assertThat(Numbers.latency(Figure.of(1.4239))).isEqualTo("1.42 s");
    assertThat(Numbers.latency(Figure.of(-0.003))).isEqualTo("-3.00 ms");
  }

  @Test
  void aSignStandsBeforeWhatIsMoreOrLessThanZeroOnly() {
    assertThat(Numbers.signed(0.003, LatencyUnit.MILLISECONDS::text)).isEqualTo("+3.00 ms");
    assertThat(Numbers.signed(-0.003, LatencyUnit.MILLISECONDS::text)).isEqualTo("-3.00 ms");
    assertThat(Numbers.signed(0, LatencyUnit.MILLISECONDS::text)).isEqualTo("0 ms");
    assertThat(Numbers.signed(1e-9, LatencyUnit.MILLISECONDS::text)).isEqualTo("≈ 0 ms");
    assertThat(Numbers.signed(-1e-9, LatencyUnit.MILLISECONDS::text)).isEqualTo("≈ 0 ms");
  }

  @Test
  void showsABucketWithTheEnginesOwnEdges() {
    assertThat(LatencyUnit.SECONDS.bracket(0.75, 1)).isEqualTo("(0.75, 1]");
    assertThat(LatencyUnit.MILLISECONDS.bracket(0.25, 0.5)).isEqualTo("(250, 500]");
    assertThat(LatencyUnit.SECONDS.bracket(80, Double.POSITIVE_INFINITY)).isEqualTo("(80, +Inf]");
  }

  @Test
  void namesPercentilesAsPeopleDo() {
    assertThat(Numbers.percentile(0.5)).isEqualTo("P50");
    assertThat(Numbers.percentile(0.999)).isEqualTo("P99.9");
  }
}
