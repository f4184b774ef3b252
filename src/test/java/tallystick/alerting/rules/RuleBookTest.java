package tallystick.alerting.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.MadeAlerts;
import tallystick.alerting.derivation.SignalQuery;
import tallystick.alerting.derivation.Spelling;
import tallystick.alerting.lint.ExposedSeries;
import tallystick.alerting.lint.LintFinding;
import tallystick.alerting.lint.RuleLint;
import tallystick.alerting.writing.RuleSetText;
import tallystick.alerting.writing.SloText;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.promql.RuleGroup;
import tallystick.runrecord.Sample;
import tallystick.scenario.Objective;

class RuleBookTest {
  private final DerivedAlerts derived = MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1);
  private final RuleSet rules = RuleBook.of(derived);

  @Test
  void theGuidesAlertsAndTheBudgetAlertsAreThere() {
    List<String> names = rules.alerts().stream().map(RuleSet.Rule::name).toList();
    assertThat(names)
        .containsExactly(
            "VLLMTTFTBudgetBurnPage",
            "VLLMTTFTBudgetBurnTicket",
            "VLLMTTFTObjectiveMissed",
            "VLLMHighTTFT",
            "VLLMQueueTimeHigh",
            "VLLMPreemptionRelatedDegradation",
            "VLLMHighITL",
            "VLLMEngineStuck",
            "VLLMAdmissionStalled",
            "VLLMModelGone",
            "VLLMTargetDown",
            "VLLMMetricsAbsent",
            "VLLMNoTargets");
  }

  @Test
  void whatIsReplayedIsWhatTheFileSays() {
    RuleFile read = RuleFile.read("rules.yaml", RuleSetText.prometheus(rules));
    assertThat(read.evaluable()).isEqualTo(rules.evaluable());
  }

  @Test
  void everyAlertSaysWhereItsThresholdComesFromAndWhatToDo() {
    for (RuleSet.Rule alert : rules.alerts()) {
      assertThat(alert.annotations())
          .as(alert.name())
          .containsKeys("summary", "runbook_url", "threshold_source", "valid_for");
      assertThat(alert.evidence()).isNotEmpty();
    }
    assertThat(RuleSetText.prometheus(rules))
        .contains("# SIMULATED")
        .contains("# refused: VLLMHighTPOT")
        .contains("not_separable: area 0.7, need >= 0.8");
  }

  @Test
  void ourOwnRulesPassOurOwnLintAgainstARealExposition() {
    RuleFile file = RuleFile.read("rules.yaml", RuleSetText.prometheus(rules));
    ExposedSeries exposed =
        ExposedSeries.of(MadeAlerts.samples().stream().map(Sample::series).toList());
    List<String> findings =
        RuleLint.check(file, exposed).stream().map(LintFinding::toString).toList();
    assertThat(findings).isEmpty();
  }

  @Test
  void anAlertOnAThresholdDoesNotFlapAndABudgetAlertEndsAtOnce() {
    String text = RuleSetText.prometheus(rules);
    RuleFile file = RuleFile.read("rules.yaml", text);
    List<String> kept =
        file.rules().stream()
            .filter(rule -> rule.keepFiringMillis() > 0)
            .map(RuleSource::name)
            .toList();
    assertThat(kept)
        .containsExactly(
            "VLLMTTFTObjectiveMissed", "VLLMHighTTFT", "VLLMQueueTimeHigh",
            "VLLMPreemptionRelatedDegradation", "VLLMHighITL");
    assertThat(text).contains("    for: 1m\n    keep_firing_for: 2m\n");
  }

  @Test
  void theUserChoosesTheGroupingAndTheSpelling() {
    DerivedAlerts other = MadeAlerts.written(List.of("pod"), Spelling.UNDERSCORE);
    String text = RuleSetText.prometheus(RuleBook.of(other));
    assertThat(text)
        .contains("record: pod:vllm_ttft_bad:ratio_rate5m")
        .contains("sum by (pod) ("
                + "rate(vllm_time_to_first_token_seconds_bucket{le=~\"1(\\\\.0)?\"}[5m]))")
        .doesNotContain("vllm:")
        .doesNotContain("sum by (cluster, model_name)");
    assertThat(Spelling.of(RuleGroup.metrics(RuleBook.of(other).evaluable())))
        .isEqualTo(Spelling.UNDERSCORE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"le", "a-b", "", "1x"})
  void aGroupLabelThatPrometheusCannotHaveIsRefused(String label) {
    assertThatThrownBy(() -> MadeAlerts.written(List.of(label), Spelling.RECORDED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a group label must be");
  }

  @Test
  void onlyBurningBudgetsAndAbsencePage() {
    assertThat(rules.alerts())
        .filteredOn(alert -> alert.labels().get("severity").equals("page"))
        .extracting(RuleSet.Rule::name)
        .containsExactly(
            "VLLMTTFTBudgetBurnPage", "VLLMEngineStuck", "VLLMAdmissionStalled", "VLLMModelGone");
    assertThat(rules.alerts())
        .filteredOn(alert -> alert.name().equals("VLLMTTFTObjectiveMissed"))
        .allSatisfy(alert -> assertThat(alert.labels()).containsEntry("severity", "ticket"));
  }

  @Test
  void theKubernetesFormHoldsTheSameRules() {
    RuleFile plain = RuleFile.read("rules.yaml", RuleSetText.prometheus(rules));
    RuleFile kubernetes = RuleFile.read("rule.yaml", RuleSetText.kubernetes(rules));
    assertThat(kubernetes.evaluable()).isEqualTo(plain.evaluable());
    assertThat(plain.groups()).hasSize(1);
  }

  @Test
  void aValueWithAQuoteStaysOneValue() {
    RuleFile file = RuleFile.read("rules.yaml", RuleSetText.prometheus(rules));
    List<String> validity =
        file.rules().stream()
            .filter(RuleSource::alert)
            .map(rule -> rule.annotations().get("valid_for"))
            .distinct()
            .toList();
    assertThat(validity).containsExactly("SIMULATED engine, model 'x'");
  }

  @ParameterizedTest
  @CsvSource({
    "0.99, > 0.144, >= 5",
    "0.999, > 0.0144, >= 5",
    "0.95, > 0.72, >= 4",
    "0.90, > 0.5, >= 7"
  })
  void theFactorsOfABudgetAlertAlwaysCanFire(double target, String ratio, String guard) {
    RuleSet set = RuleBook.of(MadeAlerts.withTarget(target, Objective.Metric.TTFT, 1));
    String page = expression(set, "VLLMTTFTBudgetBurnPage").lines().findFirst().orElseThrow();
    assertThat(page).contains("ratio_rate1h " + ratio + " ").contains(guard);
  }

  @Test
  void availabilityIsOfThePlaceThatASelectorNames() {
    assertThat(withAvailability(derived.request().withSelector("zone=~\"b.*\",a=\"}%s\"")))
        .contains(
            "http_requests_total{handler=~\"/v1/.*\",zone=~\"b.*\",a=\"}%s\","
                + "status=~\"5..|5xx\"}[5m]",
            "http_requests_total{handler=~\"/v1/.*\",zone=~\"b.*\",a=\"}%s\"}[5m]");
  }

  private String withAvailability(AlertRequest request) {
    return RuleSetText.prometheus(
        RuleBook.of(
            MadeAlerts.of(
                MadeAlerts.asked(request, 0.999, AlertRequest.RUNBOOK), derived.edge(),
                derived.outcomes(), derived.holdMillis(), derived.query(), derived.validity())));
  }

  @Test
  void availabilityIsMeasuredAtTheHttpBoundaryAndPassesTheLint() {
    String text = withAvailability(derived.request());
    assertThat(text)
        .contains("- alert: VLLMAvailabilityBudgetBurnPage", "cluster:http_bad:ratio_rate1h")
        .contains("http_requests_total{handler=~\"/v1/.*\",status=~\"5..|5xx\"}[5m]");
    RuleFile file = RuleFile.read("rules.yaml", text);
    List<String> findings =
        RuleLint.check(file, ExposedSeries.none()).stream().map(LintFinding::toString).toList();
    assertThat(findings).isEmpty();
  }

  @Test
  void otherObjectivesHaveTheirOwnHistogram() {
    RuleSet set = RuleBook.of(MadeAlerts.withTarget(0.99, Objective.Metric.E2E, 10));
    String text = RuleSetText.prometheus(set);
    assertThat(text)
        .contains("VLLME2EBudgetBurnPage")
        .contains("vllm:e2e_request_latency_seconds_bucket{le=~\"10(\\\\.0)?\"}");
  }

  @Test
  void theObjectiveIsWrittenForOtherTools() {
    assertThat(SloText.sloth(derived, "m"))
        .contains("objective: 99\n")
        .contains("vllm:time_to_first_token_seconds_bucket{model_name=\"m\",le=~\"1(\\\\.0)?\"}")
        .contains("[{{.window}}]");
    assertThat(SloText.openSlo(derived, "m"))
        .contains("apiVersion: openslo/v1\n", "budgetingMethod: Occurrences", "target: 0.99");
    assertThat(SloText.alertmanager()).contains("matchers: ['severity=\"page\"']");
  }

  @Test
  void onlyAlertsOfTheFileSilenceOneAnother() {
    String inhibition = SloText.alertmanager().replaceFirst("(?s).*inhibit_rules:", "");
    assertThat(inhibition)
        .contains("source_matchers: ['alertname=~\"VLLM.*\"', 'severity=\"page\"']")
        .contains("target_matchers: ['alertname=~\"VLLM.*\"', 'severity=~\"ticket|warning\"']");
  }

  @Test
  void rulesCarryTheModelTheyAreValidFor() {
    SignalQuery scoped =
        new SignalQuery(
            MadeAlerts.names(), List.of("cluster"), derived.query().latency(), 1,
            "model_name=\"m\",namespace=\"n\"");
    DerivedAlerts one =
        MadeAlerts.of(
            derived.request(), derived.edge(), derived.outcomes(), derived.holdMillis(), scoped,
            derived.validity());
    assertThat(RuleBook.of(one).evaluable().getFirst().rules())
        .flatMap(rule -> Expressions.all(rule.expression(), VectorSelector.class).toList())
        .filteredOn(selector -> selector.metric().startsWith("vllm:"))
        .isNotEmpty()
        .allMatch(
            selector ->
                ExpressionText.of(selector).contains("model_name=\"m\",namespace=\"n\""));
  }

  @Test
  void slothIsToldOfFactorsThatCannotFire() {
    DerivedAlerts ninety = MadeAlerts.withTarget(0.9, Objective.Metric.TTFT, 1);
    assertThat(SloText.sloth(ninety, "m"))
        .contains("# Sloth's factor 14.4 over 1h can never fire at this target")
        .contains("severity: page")
        .doesNotContain("disable");
    DerivedAlerts eighty = MadeAlerts.withTarget(0.8, Objective.Metric.TTFT, 1);
    assertThat(SloText.sloth(eighty, "m")).contains("    page_alert:\n", "      disable: true\n");
  }

  @Test
  void aModelsNameIsEscapedForPromqlAndForYaml() {
    assertThat(SloText.sloth(derived, "a'b\"c"))
        .contains("model_name=\"a'b\\\"c\",le=~\"1(\\\\.0)?\"");
  }

  /** Prometheus runs what stands in double braces of an annotation; Sloth does so in a query. */
  @Test
  void bracesInNamesOfStrangersRunNothing() {
    String foreign = "{{{ query \"up\" | first }} {{- .Labels }}";
    DerivedAlerts hostile =
        MadeAlerts.of(
            derived.request(), derived.edge(), derived.outcomes(), derived.holdMillis(),
            derived.query(),
            new DerivedAlerts.Validity(List.of(foreign), "model " + foreign, true, 1, 60_000));
    assertThat(RuleBook.of(hostile).alerts())
        .allSatisfy(
            alert ->
                assertThat(alert.annotations().values())
                    .contains("model " + foreign.replace("{{", "{{\"{{\"}}"))
                    .noneMatch(text -> text.contains("{{{ q") || text.contains("{{- .L")));
    assertThat(SloText.sloth(derived, foreign).replace("[{{.window}}]", ""))
        .contains("{\\x7b{ query")
        .doesNotContain("{{");
  }

  private static String expression(RuleSet set, String name) {
    return set.alerts().stream()
        .filter(alert -> alert.name().equals(name))
        .map(RuleSet.Rule::expression)
        .collect(Collectors.joining());
  }

  /** Of TTFT beyond 0.75 s and of a wait in the queue beyond 0.5 s. */
  @Test
  void aThresholdBeyondTheObjectiveDoesNotPromiseToFireOnIt() {
    assertThat(firing(1)).containsExactly("VLLMHighTTFT", "VLLMQueueTimeHigh");
    assertThat(firing(0.75)).containsExactly("VLLMHighTTFT", "VLLMQueueTimeHigh");
    assertThat(firing(0.5)).isEmpty();
  }

  /** Warnings on the first token that promise to fire. */
  private static List<String> firing(double limit) {
    return RuleBook.of(MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, limit)).alerts().stream()
        .filter(rule -> List.of("VLLMHighTTFT", "VLLMQueueTimeHigh").contains(rule.name()))
        .filter(rule -> rule.annotations().get("promises").contains("fires within"))
        .map(RuleSet.Rule::name)
        .toList();
  }
}
