package tallystick.experiment.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A step of every engine here should take 10. */
class OutlierFreeStepsTest {
  private static final double[] TEN = {10, 0, 0, 0, 0, 0, 0};

  private static ObservedStep step(long at, double nanos) {
    return new ObservedStep(at, nanos, new double[] {1, 0, 0, 1, 0, 0, 0}, 1, 3);
  }

  @Test
  void aTokenThatWasHeldUpMakesOneOfTwoSteps() {
    List<ObservedStep> run = List.of(step(10, 10), step(28, 18), step(30, 2), step(40, 10));

    List<ObservedStep> calm = OutlierFreeSteps.of(run, TEN, 1);

    assertThat(calm).extracting(ObservedStep::nanos).containsExactly(10.0, 20.0, 10.0);
    assertThat(calm.get(1).work()).containsExactly(2, 0, 0, 2, 0, 0, 0);
    // When its tokens came says nothing of their way back.
    assertThat(calm.get(1).others()).isZero();
    assertThat(OutlierFreeSteps.count(calm)).isEqualTo(4);
    assertThat(OutlierFreeSteps.meanRatio(calm, TEN)).isCloseTo(1, within(1e-12));
  }

  @Test
  void severalShortStepsBelongToTheLongOneBeforeThem() {
    List<ObservedStep> run = List.of(step(26, 26), step(28, 2), step(30, 2));
    assertThat(OutlierFreeSteps.of(run, TEN, 1))
        .extracting(ObservedStep::nanos)
        .containsExactly(30.0);
  }

  @Test
  void aStallIsLeftOutAndSoIsAShortStepOfWhichNobodySawTheOneBefore() {
    List<ObservedStep> run = List.of(step(10, 10), step(40, 30), step(90, 3));
    assertThat(OutlierFreeSteps.of(run, TEN, 1))
        .extracting(ObservedStep::nanos)
        .containsExactly(10.0);
  }

  @Test
  void whatIsShortIsJudgedAtTheRunsOwnSpeed() {
    List<ObservedStep> run = List.of(step(10, 10), step(13, 3), step(17, 4));
    assertThat(OutlierFreeSteps.of(run, TEN, 0.4)).extracting(ObservedStep::nanos)
        .containsExactly(3.0, 4.0);
  }
}
