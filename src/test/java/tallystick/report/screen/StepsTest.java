package tallystick.report.screen;

import static org.assertj.core.api.Assertions.assertThat;
import static tallystick.analysis.result.ObjectiveResult.Verdict.MET;
import static tallystick.analysis.result.ObjectiveResult.Verdict.NOT_PROVEN;
import static tallystick.analysis.result.ObjectiveResult.Verdict.VIOLATED;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.ObjectiveResult.Verdict;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.answer.Tone;
import tallystick.report.SampleLater;

class StepsTest {
  @Test
  void theAnswerOfASteppedRunIsItsKnee() {
    assertThat(answer(MET, NOT_PROVEN, MET, VIOLATED, VIOLATED))
        .isEqualTo(
            "holds 30.0 requests/s, not 40.0: TTFT <= 500 ms for 95 % of requests");
  }

  @Test
  void aStepThatIsMetAboveOneThatFailsIsNoKnee() {
    assertThat(answer(MET, VIOLATED, MET)).startsWith("no clear knee: 30.0 requests/s is met");
  }

  @Test
  void nothingIsHeldThatIsNotProven() {
    assertThat(answer(NOT_PROVEN, VIOLATED))
        .startsWith("no step is proven to hold; violated at 20.0");
    assertThat(answer(NOT_PROVEN, NOT_PROVEN))
        .isEqualTo("no step is proven to hold, none to fail");
    assertThat(answer(MET, NOT_PROVEN)).isEqualTo("holds 10.0 requests/s; no step is violated");
  }

  @Test
  void theVerdictOfAllPhasesIsToldWhereItIsMilderThanThatOfAStep() {
    assertThat(steps(MET, VIOLATED).answer(NOT_PROVEN).text())
        .endsWith("; all phases together: not proven");
    assertThat(steps(MET, VIOLATED).answer(MET).text()).endsWith("; all phases together: met");
    assertThat(steps(MET, VIOLATED).answer(VIOLATED).text()).doesNotContain("together");
    assertThat(steps(MET, MET).answer(NOT_PROVEN).text()).doesNotContain("together");
  }

  @Test
  void theStepThatHoldsStandsInTheTable() {
    assertThat(
            rates(steps(MET, NOT_PROVEN, NOT_PROVEN, VIOLATED, VIOLATED, VIOLATED), 4).getFirst())
        .isEqualTo("10.0");
  }

  @Test
  void onlyTheHighestStepThatIsMetIsGreen() {
    assertThat(steps(MET, MET).answer().mark().tone()).isEqualTo(Tone.GOOD);
    assertThat(steps(MET, NOT_PROVEN).answer().mark().tone()).isEqualTo(Tone.CAUTION);
    assertThat(steps(MET, VIOLATED).answer().mark().tone()).isEqualTo(Tone.PLAIN);
  }

  @Test
  void aRateThatDoesNotRiseMakesNoSteps() {
    assertThat(Steps.of(List.of(phase(10, MET), phase(10, MET)))).isEmpty();
    assertThat(Steps.of(List.of(phase(10, MET), SampleLater.phase()))).isEmpty();
    assertThat(Steps.of(List.of(phase(10, MET)))).isEmpty();
  }

  @Test
  void aPhaseAfterAHigherOneIsNoStepButItsFailureIsTold() {
    List<PhaseAnalysis> drained =
        List.of(phase(10, MET), phase(30, VIOLATED), phase(10, NOT_PROVEN), phase(5, VIOLATED));
    Steps steps = Steps.of(drained).orElseThrow();
    assertThat(steps.table().rows()).hasSize(2);
    assertThat(steps.answer().text())
        .startsWith("holds 10.0 requests/s, not 30.0: ")
        .endsWith("; later violated at 5.00: step");
    List<PhaseAnalysis> met = List.of(phase(10, MET), phase(30, MET), phase(5, VIOLATED));
    assertThat(Steps.of(met).orElseThrow().answer().mark().tone()).isEqualTo(Tone.CAUTION);
  }

  @Test
  void aTableThatCannotHoldAllStepsShowsTheKnee() {
    Steps many = steps(MET, MET, MET, MET, MET, MET, VIOLATED, VIOLATED);
    assertThat(rates(many, 3)).containsExactly("60.0", "70.0", "80.0");
  }

  /** What is shown where rows of a higher rank have to go. */
  private static List<String> rates(Steps steps, int rank) {
    return steps.table().rows().stream()
        .filter(row -> row.spare() <= rank)
        .map(row -> row.cells().get(1).text())
        .toList();
  }

  private static String answer(Verdict... verdicts) {
    return steps(verdicts).answer().text();
  }

  private static Steps steps(Verdict... verdicts) {
    List<PhaseAnalysis> phases = new ArrayList<>();
    for (Verdict verdict : verdicts) {
      phases.add(phase(10.0 * (phases.size() + 1), verdict));
    }
    return Steps.of(phases).orElseThrow();
  }

  private static PhaseAnalysis phase(double rate, Verdict verdict) {
    return SampleLater.step("step", rate, verdict, SampleLater.phase().goodput());
  }
}
