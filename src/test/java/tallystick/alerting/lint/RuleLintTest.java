package tallystick.alerting.lint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.alerting.QueryText;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.answer.Answer;
import tallystick.answer.Invocation;
import tallystick.promql.PromqlException;
import tallystick.promql.PromqlParser;
import tallystick.runrecord.Series;

class RuleLintTest {

  @Test
  void theGuidesRulesHaveTheirKnownDefectsAndNoOthers() {
    List<String> expected =
        List.of(
            "vllm_prefix_cache_hit_ratio clamped_rate",
            "VLLMHighTTFT off_edge_threshold",
            "VLLMHighTTFT no_volume_guard",
            "VLLMHighTTFT no_runbook",
            "VLLMQueueTimeHigh no_volume_guard",
            "VLLMQueueTimeHigh no_runbook",
            "VLLMPreemptionRelatedDegradation off_edge_threshold",
            "VLLMPreemptionRelatedDegradation no_volume_guard",
            "VLLMPreemptionRelatedDegradation no_runbook",
            " silent_absence");
    assertThat(shown("/lint/guide.yaml")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void theRulesOfLlmDHaveTheirKnownDefectsAndNoOthers() {
    List<String> expected =
        List.of(
            " silent_absence",
            "LLMDExtremeTTFT off_edge_threshold",
            "LLMDExtremeTTFT no_volume_guard",
            "LLMDHighTTFT no_volume_guard",
            "LLMDTTFTSLO off_edge_threshold",
            "LLMDTTFTSLO no_volume_guard",
            "LLMDTTFTSLO slow_page",
            "LLMDHighPreemptions no_such_series",
            "LLMDDecodeKVCacheCritical resource_page",
            "LLMDAvailabilitySLOBurn burn_factor",
            "LLMDAvailabilitySLOBurn no_volume_guard",
            "LLMDHighErrorRate no_volume_guard");
    assertThat(shown("/lint/llm-d.yaml")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void theOtherPublicRulesHaveTheirKnownDefectsAndNoOthers() {
    List<String> expected =
        List.of(
            "GatewayApiPerSeriesLatency quantile_grouping",
            "GatewayApiPerSeriesLatency no_volume_guard",
            "GatewayApiKVCache resource_page",
            "KServeMergedModels quantile_grouping",
            "KServeMergedModels no_volume_guard",
            "ModelshipErrorRatio clamped_rate",
            "ModelshipErrorRatio no_volume_guard",
            "ModelshipTTFT no_volume_guard",
            "ZhFinishReason no_such_series",
            "ZhFinishReason no_volume_guard",
            "MillisecondsForSeconds unreachable_threshold",
            "MillisecondsForSeconds no_volume_guard",
            "RawBuckets quantile_without_rate",
            "RemovedGauge no_such_series",
            "PercentForRatio unreachable_threshold",
            "FirstBucket unreachable_threshold",
            "FirstBucket no_volume_guard",
            "LostBuckets quantile_grouping",
            "LostBuckets no_volume_guard",
            "NoSuchBucket no_such_series",
            "NoSuchBucket no_volume_guard",
            "BurnThatCannotFire burn_factor",
            "SplitFromItsRecording split_groups",
            "WithoutRunbook no_runbook");
    assertThat(shown("/lint/various.yaml")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void ourOwnFormOfTheRulesHasNothingButTheMissingAbsenceAlert() {
    assertThat(shown("/vectors/rules.yml")).containsExactly(" silent_absence");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/lint/guide.yaml", "/lint/llm-d.yaml", "/lint/various.yaml"})
  void aCorrectedExpressionIsPromqlWithoutThatDefect(String resource) {
    RuleFile file = read(resource);
    int corrected = 0;
    for (LintFinding finding : RuleLint.check(file, ExposedSeries.none())) {
      Optional<RuleFile> again = rewritten(file, finding);
      if (again.isPresent()) {
        corrected++;
        assertThat(RuleLint.check(again.get(), ExposedSeries.none()))
            .as(finding.corrected())
            .noneMatch(
                other ->
                    other.rule().equals(finding.rule()) && other.defect() == finding.defect());
      }
    }
    assertThat(corrected).isGreaterThan(5);
  }

  @Test
  void aFindingNamesTheLineOfTheFaultInAMultiLineExpression() {
    List<Integer> lines =
        check("/lint/guide.yaml").stream()
            .filter(finding -> finding.defect() == Defect.OFF_EDGE_THRESHOLD)
            .map(LintFinding::line)
            .toList();
    assertThat(lines).containsExactly(25, 55);
  }

  @Test
  void aTargetDecidesWhichSeriesAndEdgesThereAre() {
    String bucket = "vllm:time_to_first_token_seconds_bucket";
    ExposedSeries exposed =
        ExposedSeries.of(
            List.of(
                Series.of(bucket, Map.of("le", "3.0"), Series.Type.HISTOGRAM),
                Series.of(bucket, Map.of("le", "30.0"), Series.Type.HISTOGRAM),
                Series.of(bucket, Map.of("le", "+Inf"), Series.Type.HISTOGRAM),
                Series.of(
                    "vllm:time_to_first_token_seconds_count",
                    Map.of(),
                    Series.Type.HISTOGRAM)));
    List<LintFinding> findings = RuleLint.check(read("/lint/guide.yaml"), exposed);
    assertThat(findings).noneMatch(f -> f.defect() == Defect.OFF_EDGE_THRESHOLD);
    List<String> missing =
        findings.stream()
            .filter(f -> f.defect() == Defect.NO_SUCH_SERIES)
            .map(LintFinding::why)
            .toList();
    assertThat(missing).contains("the target exposes no vllm:request_queue_time_seconds_bucket");
  }

  @Test
  void whatCannotBeReadIsAFindingAndNotASilence() {
    RuleFile file =
        RuleFile.read(
            "bad.yaml",
            """
            groups:
              - name: g
                rules:
                  - alert: A
                    expr: |
                      sum(
                        rate(x[5m]) >
                      )
                    annotations: {runbook_url: u}
                  - record: b
                    expr: holt_winters(x[1h], 0.5, 0.5)
                  - alert: C
                    expr: absent(up)
                    annotations: {runbook_url: u}
            """);
    List<String> lines =
        RuleLint.check(file, ExposedSeries.none()).stream()
            .map(f -> f.line() + " " + f.defect().code() + " " + f.why())
            .toList();
    assertThat(lines)
        .containsExactly(
            "8 syntax unexpected \")\"",
            "11 not_understood not understood: function holt_winters");
  }

  @Test
  void sarifCarriesEveryFindingAndTheVerdictCountsThem() throws IOException {
    List<LintFinding> findings = check("/lint/llm-d.yaml");
    JsonNode sarif = new ObjectMapper().readTree(Sarif.of(findings, file -> file));
    JsonNode run = sarif.get("runs").get(0);
    assertThat(run.get("results")).hasSize(findings.size());
    JsonNode first = run.get("results").get(0);
    int index = first.get("ruleIndex").asInt();
    assertThat(run.at("/tool/driver/rules/" + index + "/id")).isEqualTo(first.get("ruleId"));
    assertThat(first.at("/locations/0/physicalLocation/region/startLine").asInt()).isEqualTo(6);
    Answer answer =
        new Lint(List.of(read("/lint/llm-d.yaml")), "", findings, new TreeMap<>())
            .answer(new Invocation(List.of(), ""));
    assertThat(answer.verdict().text()).startsWith("1 error, 11 warnings, 0 notes: ");
  }

  private static Optional<RuleFile> rewritten(RuleFile file, LintFinding finding) {
    try {
      PromqlParser.parse(finding.corrected());
    } catch (PromqlException e) {
      return Optional.empty();
    }
    List<RuleFile.Group> groups =
        file.groups().stream()
            .map(
                group ->
                    new RuleFile.Group(
                        group.name(),
                        group.intervalMillis(),
                        group.rules().stream().map(rule -> changed(rule, finding)).toList()))
            .toList();
    return Optional.of(new RuleFile(file.file(), groups, RuleFile.LeftOut.NOTHING));
  }

  private static RuleSource changed(RuleSource rule, LintFinding finding) {
    if (!rule.name().equals(finding.rule())) {
      return rule;
    }
    return new RuleSource(
        rule.kind(),
        rule.name(),
        rule.group(),
        rule.line(),
        new QueryText(rule.text().scalar(), finding.corrected(), List.of()),
        Optional.of(PromqlParser.parse(finding.corrected())),
        Optional.empty(),
        rule.holdMillis(),
        rule.keepFiringMillis(),
        rule.labels(),
        rule.annotations());
  }

  private static List<String> shown(String resource) {
    return check(resource).stream().map(f -> f.rule() + " " + f.defect().code()).toList();
  }

  private static List<LintFinding> check(String resource) {
    return RuleLint.check(read(resource), ExposedSeries.none());
  }

  private static RuleFile read(String resource) {
    try (InputStream in = RuleLintTest.class.getResourceAsStream(resource)) {
      String text =
          new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
      return RuleFile.read(resource, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
