package tallystick.alerting.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.MadeAlerts;
import tallystick.scenario.Objective;

/** Two objectives in one file: every alert once, each with the objective it is about. */
class SharedRulesTest {
  private final DerivedAlerts first = MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1);
  private final DerivedAlerts second = MadeAlerts.withTarget(0.95, Objective.Metric.TPOT, 0.05);
  private final List<Objective> both =
      List.of(first.request().objective(), second.request().objective());

  @Test
  void everyAlertIsThereOnce() {
    RuleSet merged = SharedRules.merged(List.of(share(first), share(second)));
    assertThat(merged.rules().stream().map(RuleSet.Rule::name)).doesNotHaveDuplicates();
    assertThat(merged.alerts().stream().map(RuleSet.Rule::name))
        .contains("VLLMTTFTObjectiveMissed", "VLLMTPOTObjectiveMissed", "VLLMTPOTBudgetBurnPage")
        .containsAll(RuleBook.ABSENCE);
    assertThat(names(merged)).containsAll(names(RuleBook.of(first)));
  }

  @Test
  void anAlertGoesToTheObjectiveItIsAbout() {
    assertThat(names(share(first)))
        .contains("VLLMHighTTFT", "VLLMQueueTimeHigh", "VLLMHighITL", "VLLMEngineStuck")
        .doesNotContain("VLLMHighTPOT");
    assertThat(names(share(second)))
        .contains("VLLMHighTPOT", "VLLMTPOTObjectiveMissed")
        .doesNotContain("VLLMHighTTFT", "VLLMHighITL", "VLLMEngineStuck");
  }

  @Test
  void aShareHasNoRecordingThatNothingReads() {
    assertThat(share(second).rules().stream().map(RuleSet.Rule::name))
        .noneMatch(name -> name.contains("ttft") || name.contains("itl"));
  }

  private RuleSet share(DerivedAlerts derived) {
    return SharedRules.of(RuleBook.of(derived), derived.request().objective(), both);
  }

  private static List<String> names(RuleSet set) {
    return Stream.concat(
            set.alerts().stream().map(RuleSet.Rule::name),
            set.refusals().stream().map(RefusedAlert::alertName))
        .toList();
  }
}
