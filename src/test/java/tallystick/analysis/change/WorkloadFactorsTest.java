package tallystick.analysis.change;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tallystick.analysis.result.Circumstance;
import tallystick.analysis.result.Contrast;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;

class WorkloadFactorsTest {
  @Test
  void aCostThatNobodyKnowsIsNotTold() {
    Contrast told = told(0.11, 1.18, 11.03);
    assertThat(told.judged())
        .isEqualTo(Figure.missing("between 0.11 and 11.03 times"));
    assertThat(told.isChanged()).isFalse();
  }

  @Test
  void aCostThatIsKnownIsTold() {
    assertThat(told(1.1, 1.18, 1.3).judged()).isEqualTo(Figure.of(1.18));
    assertThat(told(1.1, 1.18, 1.3).isChanged()).isTrue();
  }

  @Test
  void aCostThatWasNotFittedSaysWhy() {
    Contrast told = WorkloadFactors.told(Circumstance.PROMPT_TOKEN_COST, Interval.missing("why"));
    assertThat(told.judged()).isEqualTo(Figure.missing("why"));
  }

  private static Contrast told(double low, double value, double high) {
    return WorkloadFactors.told(
        Circumstance.PROMPT_TOKEN_COST,
        Interval.of(value, low, high));
  }
}
