package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.Need;
import tallystick.alerting.derivation.Shortfall;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.rules.Promise;
import tallystick.alerting.rules.RuleSet;
import tallystick.experiment.Budget;
import tallystick.scenario.Objective;

/** Screen, exit code and rules say the same: what is earned is an alert in the files of rules. */
class StudyReportTest {
  private static Standing standing(Signal signal, Need... lacks) {
    List<Shortfall> all =
        List.of(lacks).stream().map(need -> new Shortfall(need, 3, 5, "3 of 5")).toList();
    return Standing.of(Objective.Metric.TTFT, signal, all, 4);
  }

  private static StudyReport report(Standing standing, String... alerts) {
    List<RuleSet.Rule> rules =
        List.of(alerts).stream()
            .map(
                name ->
                    new RuleSet.Rule(
                        true, name, "up > 1", 0, 0, Map.of("severity", "ticket"), Map.of(),
                        List.of("3 runs"), Promise.NONE))
            .toList();
    RuleSet set = new RuleSet(List.of(), "vllm-slo", 30_000, rules, List.of());
    return new StudyReport(
        new FinishedStudy(
            "chat", "an engine", "m", new Budget(OptionalDouble.empty()), new StudyEnd.Decided(),
            List.of(), List.of(standing), List.of(), Optional.empty()),
        List.of(new AlertReview(null, set, List.of(), List.of(), null, Optional.empty())));
  }

  @Test
  void anAlertIsEarnedThatNeedsNoSuffering() {
    StudyReport report =
        report(standing(Signal.BAD_RATIO, Need.MET_WINDOWS), "VLLMDegradedAtEqualLoad");

    assertThat(report.text()).contains("EARNED   VLLMDegradedAtEqualLoad");
    assertThat(report.outcome()).isEqualTo(StudyReport.Outcome.EARNED);
  }

  @Test
  void aThresholdThatNoAlertRestsOnEarnsNothing() {
    StudyReport report = report(standing(Signal.WAITING_MEAN), "VLLMTargetDown");

    assertThat(report.text()).contains("no threshold is proven");
    assertThat(report.outcome()).isEqualTo(StudyReport.Outcome.NOT_PROVEN);
  }
}
