package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tallystick.alerting.derivation.Need;
import tallystick.alerting.derivation.Shortfall;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.rules.Promise;
import tallystick.alerting.rules.RuleSet;
import tallystick.cli.NextLines;
import tallystick.experiment.Budget;
import tallystick.experiment.ScreenLines;
import tallystick.scenario.Objective;

class StudyScreenTest {
  private static String text(List<Objective> leftOut) {
    FinishedStudy study =
        new FinishedStudy(
            "chat", "an engine", "m", new Budget(OptionalDouble.empty()), new StudyEnd.Decided(),
            List.of(), List.of(), leftOut, Optional.empty());
    return new StudyScreen(study, List.of()).text().replaceAll("\\s+", " ");
  }

  private static FinishedStudy study(StudyEnd end, double budget, List<StudyResult> runs) {
    return new FinishedStudy(
        "scenario-of-a-chat", "the simulated engine, in virtual time", "m",
        new Budget(OptionalDouble.of(budget)), end, runs,
        List.of(
            new Standing(
                Objective.Metric.TTFT, Signal.KV_MAX, Standing.State.OPEN,
                List.of(new Shortfall(Need.NARROW_INTERVAL, 2, 1, "wide")))),
        List.of(), Optional.empty());
  }

  /** Every second run met an engine that is a tenth slower, and every third one twice that. */
  private static List<StudyResult> moving(int runs) {
    return IntStream.rangeClosed(1, runs)
        .mapToObj(
            number ->
                new StudyResult(
                    new StudyRun(
                        number, Mix.GIVEN, 30,
                        List.of(new StudyStep(1, StudyStep.Kind.REFERENCE, 5, 60)), 1),
                    "runs/run-00" + number, 300, List.of(),
                    new StudyResult.Reference(
                        1 + (number % 2 == 0 ? 0.1 : 0) + (number % 3 == 0 ? 0.2 : 0), 0.001,
                        900),
                    true, number != 2, ""))
        .toList();
  }

  @Test
  void namesInHowManyRunsTheTwoSidesCouldNotBeComparedInFull() {
    String text =
        new StudyScreen(study(new StudyEnd.OutOfTime(900), 900, moving(3)), List.of()).text();

    assertThat(text.replaceAll("\\s+", " "))
        .contains("3 runs in which the two sides could not be compared in full in 1 of them");
  }

  @Test
  void manyAlertsAndRunsThatMovedLeaveRoomForTheFolder() {
    List<RuleSet.Rule> alerts =
        IntStream.range(0, 7)
            .mapToObj(
                number ->
                    new RuleSet.Rule(
                        true, "VLLM" + "VeryLongNameOfAnAlert".repeat(3) + number, "up > 1", 0, 0,
                        Map.of("severity", "warning"), Map.of(), List.of(), Promise.NONE))
            .toList();
    RuleSet rules = new RuleSet(List.of(), "g", 30_000, alerts, List.of());
    FinishedStudy study = study(new StudyEnd.OutOfTime(900), 3000, moving(9));
    String text =
        new StudyScreen(
                study,
                List.of(
                    new AlertReview(null, rules, List.of(), List.of(), null, Optional.empty())))
            .text();

    assertThat(text.lines().count()).isLessThanOrEqualTo(19);
    assertThat(text.replaceAll("\\s+", " ")).contains("more, in rules.yaml", "more, in summary.md");
    assertThat(StudySummary.of(study, text)).contains("- run 6: reference");
  }

  @Test
  void aBudgetThatHasTimeLeftIsNotSaidToBeUsedUp() {
    String text =
        new StudyScreen(study(new StudyEnd.OutOfTime(2445), 2500, moving(1)), List.of())
            .text()
            .replaceAll("\\s+", " ");

    assertThat(text)
        .contains("the next run takes about 41 min, and 37 min are left")
        .contains("TRUST 1 run in which");
  }

  @Test
  void theExperimentsFolderIsNamedInItsCommands() {
    String folder = "reports/" + "x".repeat(60);
    String screen =
        "NEXT     promtool test rules FOLDER/r.yaml\n         ./tally open FOLDER\n";
    assertThat(ScreenLines.in(folder, screen))
        .isEqualTo(
            "NEXT     promtool test rules \\\n   " + folder + "/r.yaml\n"
                + "         ./tally open \\\n         " + folder + "\n");
    assertThat(ScreenLines.in("reports/a", "NEXT     --resume FOLDER goes on\n"))
        .isEqualTo("NEXT     --resume reports/a goes on\n");
  }

  @Test
  void anObjectiveThatIsNotStudiedIsSaid() {
    assertThat(text(List.of(new Objective(Objective.Metric.TTFT, 0.2, 0.5, ""))))
        .contains("not studied: ttft <= 0.2 s for 0.5 (one objective of each metric");
    assertThat(text(List.of())).doesNotContain("not studied");
  }

  @ParameterizedTest
  @MethodSource("ends")
  void whatFollowsAnEndCanBeTypedOrIsASentence(StudyEnd end) {
    NextLines.check(new StudyScreen(study(end, 2500, moving(1)), List.of()).text());
  }

  private static List<StudyEnd> ends() {
    return List.of(
        new StudyEnd.Decided(), new StudyEnd.OutOfTime(900),
        new StudyEnd.CapacityLost("given", "no rate held"), new StudyEnd.Untrusted("saturated"),
        new StudyEnd.BudgetTooSmall(600));
  }
}
