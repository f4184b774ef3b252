package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.experiment.Site;
import tallystick.experiment.study.StudyResult.StepReading;

class StudyForecastTest {
  private static final int OFFERED = 8;

  /** A run of one step; one that completes less than it was offered did not hold. */
  private static StudyResult run(double completedPerSecond) {
    StudyStep step = new StudyStep(1, StudyStep.Kind.OVER, OFFERED, 60);
    boolean isHeld = completedPerSecond >= OFFERED;
    return new StudyResult(
        new StudyRun(3, Mix.GIVEN, 60, List.of(step), 1), "runs/run-003", 70,
        List.of(
            new StepReading(step, 480, isHeld, isHeld ? 1 : 0.2, completedPerSecond)),
        StudyResult.Reference.NONE, true, true, "");
  }

  private static String words(double predicted, double measured) {
    return new PredictedStudy(Map.of(), List.of(run(predicted))).words(List.of(run(measured)));
  }

  @Test
  void ratesThatTheEngineKeptUpWithAreNotCompared() {
    assertThat(words(8, 8))
        .contains("mix given: n/a (no step overloaded the engine on either side)", "1 of 1 steps")
        .doesNotContain("measured 8");
  }

  @Test
  void anEngineThatKeptUpTellsTheLeastThatItCouldDo() {
    assertThat(words(6, 8))
        .contains("mix given: predicted 6, measured 8: the profile is off by at least 25 %");
    assertThat(words(8, 5))
        .contains("mix given: predicted 8, measured 5: the profile is off by at least 60 %");
  }

  @Test
  void aPredictionThatSomebodyStoppedIsLeftOut() throws Exception {
    // Whoever stops it waits for no run: no bench is asked.
    assertThat(
            new PredictedStudy(Map.of(), List.of())
                .beside(List.of(run(5)), null, null, new Site(null, line -> {}, () -> true)))
        .isEmpty();
  }

  @Test
  void whatWasCompletedUnderTheSameOverloadIsCompared() {
    assertThat(words(5.2, 5))
        .contains("mix given: predicted 5.2, measured 5").doesNotContain("the profile is off");
    assertThat(words(7, 5)).contains("mix given: predicted 7, measured 5", "the profile is off by"
        + " 40 %");
  }
}
