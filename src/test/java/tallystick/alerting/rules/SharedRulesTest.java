package tallystick.alerting.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.derivation.AlertRequest;
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

  @Test
  void twoThresholdsOfOneMetricHaveTheirOwnAlerts() {
    DerivedAlerts loose = MadeAlerts.withTarget(0.999, Objective.Metric.TTFT, 5);
    List<Objective> all =
        List.of(first.request().objective(), loose.request().objective());
    DerivedAlerts marked = MadeAlerts.asked(loose, loose.request().among(all));
    RuleSet own = SharedRules.of(RuleBook.of(marked), marked.request(), all);
    assertThat(names(own))
        .containsExactly(
            "VLLMTTFTBudgetBurnPage5s", "VLLMTTFTBudgetBurnTicket5s", "VLLMTTFTObjectiveMissed5s");
    RuleSet usual = SharedRules.of(RuleBook.of(first), first.request(), all);
    assertThat(names(usual)).containsExactlyElementsOf(names(RuleBook.of(first)));
    RuleSet merged = SharedRules.merged(List.of(usual, own));
    assertThat(merged.rules()).containsAll(usual.rules()).containsAll(own.rules());
    assertThat(merged.rules().stream().map(RuleSet.Rule::name)).doesNotHaveDuplicates();
    for (RuleSet.Rule rule : own.rules()) {
      assertThat(rule.expression()).doesNotContain("le=~\"1(").doesNotContain("vllm_ttft_bad");
      assertThat(rule.annotations().getOrDefault("runbook_url", "")).doesNotContain("5s");
    }
  }

  @Test
  void aThresholdIsNamedInLettersAndDigits() {
    Objective first = new Objective(Objective.Metric.TTFT, 1, 0.99, "");
    assertThat(mark(first, new Objective(Objective.Metric.TTFT, 0.3, 0.95, ""))).isEqualTo("300ms");
    assertThat(mark(first, new Objective(Objective.Metric.TTFT, 2.5, 0.9, ""))).isEqualTo("2500ms");
    assertThat(mark(first, new Objective(Objective.Metric.TTFT, 1, 0.995, ""))).isEqualTo("1sp995");
    assertThat(mark(first, new Objective(Objective.Metric.TPOT, 1, 0.99, ""))).isEmpty();
    assertThat(mark(first, first)).isEmpty();
  }

  private static String mark(Objective before, Objective objective) {
    return AlertRequest.usual(objective).among(List.of(before, objective)).mark();
  }

  private RuleSet share(DerivedAlerts derived) {
    return SharedRules.of(RuleBook.of(derived), derived.request(), both);
  }

  private static List<String> names(RuleSet set) {
    return Stream.concat(
            set.alerts().stream().map(RuleSet.Rule::name),
            set.refusals().stream().map(RefusedAlert::alertName))
        .toList();
  }
}
