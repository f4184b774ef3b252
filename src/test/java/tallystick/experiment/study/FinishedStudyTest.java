package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.Requirement;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.UnmetRequirement;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.LeadReview;
import tallystick.alerting.rules.AlertExpectation;
import tallystick.alerting.rules.RuleSet;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.chart.RunLanes;
import tallystick.experiment.Budget;
import tallystick.scenario.Objective;

/** Screen, exit code and rules say the same: what is earned is an alert in the files of rules. */
class FinishedStudyTest {
  private static final ThresholdProgress OPEN =
      ThresholdProgress.of(
          Objective.Metric.TTFT, Signal.BAD_RATIO,
          List.of(new UnmetRequirement(Requirement.MET_WINDOWS, 3, 5, "3 of 5")), 4);

  private static FinishedStudy study(double budget, StudyEnd end, int runs, String... alerts) {
    return new FinishedStudy(
        "chat", "an engine", "m", new Budget(OptionalDouble.of(budget)), end,
        MadeStudies.measured(runs), List.of(OPEN), List.of(), Optional.empty(), rules(alerts));
  }

  private static List<AlertReview> rules(String... alerts) {
    List<RuleSet.Rule> rules =
        List.of(alerts).stream()
            .map(
                name ->
                    new RuleSet.Rule(
                        true, name, "up > 1", 0, 0, Map.of("severity", "ticket"), Map.of(),
                        List.of("3 runs"), AlertExpectation.NONE))
            .toList();
    RuleSet set = new RuleSet(List.of(), "vllm-slo", 30_000, rules, List.of());
    LeadReview lead = new LeadReview(List.of(), List.of(), List.of());
    return List.of(new AlertReview(null, set, List.of(), List.of(), lead, Optional.empty()));
  }

  @Test
  void anAlertIsEarnedThatNeedsNoSuffering() {
    FinishedStudy study = study(2500, new StudyEnd.Decided(), 0, "VLLMDegradedAtEqualLoad");

    assertThat(SaidStudy.screen(study)).contains("READY    1 alert with a threshold learned",
        "DegradedAtEqualLoad");
    assertThat(SaidStudy.of(study).outcome()).isEqualTo(AnswerStatus.GOOD);
  }

  /** Burn rates follow from the objective: a study of 19 minutes taught nothing there. */
  @Test
  void whatIsArithmeticOfTheObjectiveWasNotLearned() {
    FinishedStudy only = study(2500, new StudyEnd.Decided(), 0, "VLLMTTFTBudgetBurnPage");
    FinishedStudy both =
        study(
            2500, new StudyEnd.Decided(), 0, "VLLMTTFTBudgetBurnPage", "VLLMTTFTObjectiveMissed");

    assertThat(SaidStudy.of(only).outcome()).isEqualTo(AnswerStatus.TOO_CLOSE);
    assertThat(SaidStudy.words(only)).contains("no threshold learned");
    assertThat(SaidStudy.words(both))
        .contains(
            "1 alert with a threshold learned from these runs; 1 follows from the"
                + " objective alone and needs no load");
  }

  @Test
  void aThresholdThatNoAlertRestsOnEarnsNothing() {
    FinishedStudy study = study(2500, new StudyEnd.Decided(), 0, "VLLMTargetDown");

    assertThat(SaidStudy.screen(study)).contains("no threshold learned");
    assertThat(SaidStudy.of(study).outcome()).isEqualTo(AnswerStatus.TOO_CLOSE);
  }

  @Test
  void namesInHowManyRunsTheTwoSidesCouldNotBeComparedInFull() {
    assertThat(SaidStudy.words(study(900, new StudyEnd.OutOfTime(900), 3)))
        .contains("3 runs: client and engine could not be compared in full in 1 of them");
  }

  @Test
  void manyLongAlertsAndRunsThatMovedFitTheScreen() {
    String[] alerts =
        IntStream.range(0, 7)
            .mapToObj(number -> "VLLM" + "VeryLongNameOfAnAlert".repeat(3) + number)
            .toArray(String[]::new);
    FinishedStudy study = study(3000, new StudyEnd.OutOfTime(900), 9, alerts);

    assertThat(SaidStudy.screen(study).lines().count()).isLessThanOrEqualTo(24);
    assertThat(SaidStudy.words(study)).contains("READY 7 alerts with a threshold learned",
        "more, in summary.md");
    assertThat(SaidStudy.of(study).details().toString()).contains("run 6 (+18 %, noise 0.1 %)");
  }

  @Test
  void everyRunIsALaneWhoseStepsSayHowUsersFared() {
    FinishedStudy study = study(900, new StudyEnd.OutOfTime(900), 3);
    Block.Picture picture =
        SaidStudy.of(study).blocks().stream()
            .filter(Block.Picture.class::isInstance)
            .map(Block.Picture.class::cast)
            .findFirst()
            .orElseThrow();
    RunLanes lanes = (RunLanes) picture.drawing();

    assertThat(lanes.lanes()).hasSize(3);
    assertThat(lanes.lanes().getFirst().spans()).isNotEmpty()
        .allMatch(span -> span.to() > span.from() && span.title().contains("% good"));
  }

  @Test
  void aBudgetThatHasTimeLeftIsNotSaidToBeUsedUp() {
    assertThat(SaidStudy.words(study(2500, new StudyEnd.OutOfTime(2445), 1)))
        .contains("the next run takes about 41 min, and 37 min are left")
        .contains("TRUST 1 run: ");
  }
}
