package tallystick.alerting.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleFileException;

/** Single expressions, each with the defect that it must show, or with none. */
class LintCasesTest {
  private static final String TTFT = "vllm:time_to_first_token_seconds";

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "vllm:num_request_waiting > 5; no_such_series",
        "vllm:foo > 5; no_such_series",
        "histogram_quantile(95, sum by (le, model_name) (rate(TTFT_bucket[5m]))) > 1;"
            + " quantile_level",
        "sum by (model_name) (rate(x_total[5m])) > 1 and"
            + " sum by (job, model_name) (rate(y_total[5m])) > 1; unmatched_labels",
        "sum(rate(x_total[5m])) > 1 and vllm:num_requests_waiting > 1; unmatched_labels",
        "sum by (model_name) (vllm:num_requests_running) / sum(vllm:num_requests_waiting) > 1;"
            + " unmatched_labels",
        "histogram_quantile(0.95, sum by (le, model) (rate(TTFT_bucket[5m]))) > 1; no_such_label",
        "rate(vllm:request_success_total{finished_reason=\"failed\"}[5m]) > 1; no_such_series",
        "rate(vllm:num_requests_waiting[5m]) > 1; rate_of_gauge",
        "increase(vllm:kv_cache_usage_perc[5m]) > 0.5; rate_of_gauge",
        "vllm:num_preemptions_total > 100; raw_counter",
        "sum(TTFT_count) > 100; raw_counter",
        "rate(sum(vllm:num_preemptions_total)[5m:15s]) > 1; rate_of_sum",
        "increase(sum by (job) (vllm:num_preemptions_total)[10m:]) > 1; rate_of_sum",
        "rate(vllm:num_preemptions_total[15s]) > 1; short_range",
        "sum(rate(vllm:request_success_total[5m])) < 0.1; fires_when_idle",
        "vllm:num_requests_running == 0; fires_when_idle",
        "sum(rate(vllm:generation_tokens_total[5m])) < 10; fires_when_idle",
        "sum(rate(vllm:request_success_total{finished_reason!=\"stop\"}[5m])) > 1;"
            + " abort_as_failure",
        "sum(rate(vllm:request_success_total{finished_reason=~\"abort|error\"}[5m])) > 1;"
            + " abort_as_failure",
        "DCGM_FI_DEV_FB_USED / (DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE) > 0.95; always_full",
        "rate(TTFT_bucket{le=\"1\"}[5m]) > 5; no_such_series",
      })
  void aDefectIsFound(String expression, String defect) {
    assertThat(words(expression)).contains(defect);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum by (model_name) (rate(x_total[5m])) > 1"
            + " and on (model_name) sum by (job, model_name) (rate(y_total[5m])) > 1",
        "sum(rate(vllm:request_success_total[5m])) < 0.1 and sum(vllm:num_requests_waiting) > 0",
        "increase(vllm:num_preemptions_total[5m]) > 100",
        "max by (job) (rate(vllm:num_preemptions_total[5m])) > 1",
        "max_over_time(sum(rate(vllm:num_preemptions_total[5m]))[10m:1m]) > 1",
        "deriv(vllm:num_requests_waiting[5m]) > 1",
        "vllm:team:waiting > 5",
        "sum(rate(vllm:request_success_total{finished_reason=\"error\"}[5m])) > 1",
        "sum by (model_name) (vllm:num_requests_waiting) > 5"
            + " and sum by (model_name) (vllm:num_requests_running) > 5",
        "vllm:gpu_cache_usage_perc > 0.9 or vllm:kv_cache_usage_perc > 0.9",
        "rate(TTFT_bucket{le=~\"1(\\\\.0)?\"}[5m]) > 5",
        "rate(TTFT_bucket{le=\"1.0\"}[5m]) > 5",
        "rate(http_requests_total{status=~\"5..\"}[300]) > 1",
        "time() - process_start_time_seconds < 5m",
      })
  void whatIsWellHasNoFinding(String expression) {
    assertThat(words(expression)).isEmpty();
  }

  @Test
  void anAbsentResourceIsNoResourcePage() {
    assertThat(findings("absent(vllm:num_requests_running)", "page"))
        .noneMatch(finding -> finding.defect() == Defect.RESOURCE_PAGE);
    assertThat(findings("vllm:num_requests_running > 5", "page"))
        .anyMatch(finding -> finding.defect() == Defect.RESOURCE_PAGE);
  }

  @Test
  void noSentenceHasEmptyParenthesesAndNoCorrectionSaysTheSameTwice() {
    for (String name : List.of("vllm:cpu_cache_usage_perc", "vllm:num_requests_swapped")) {
      assertThat(findings(name + " > 1", "warning")).noneMatch(f -> f.why().contains("()"));
    }
    assertThat(findings("vllm:gpu_cache_usage_perc or vllm:kv_cache_usage_perc", "warning"))
        .noneMatch(finding -> finding.corrected().contains("or"));
  }

  @Test
  void requestsThatRunAllAlongAreAVolume() {
    String ratio =
        "rate(vllm:inter_token_latency_seconds_sum[2m])"
            + " / rate(vllm:inter_token_latency_seconds_count[2m]) > 0.1";
    assertThat(findings("'" + ratio + "'", "ticket"))
        .anyMatch(finding -> finding.defect() == Defect.NO_VOLUME_GUARD);
    String guarded = ratio + " and avg_over_time(vllm:num_requests_running[2m]) > 8";
    assertThat(findings("'" + guarded + "'", "ticket"))
        .noneMatch(finding -> finding.defect() == Defect.NO_VOLUME_GUARD);
    assertThat(findings("'" + ratio + " and vllm:num_requests_running > 8'", "ticket"))
        .anyMatch(finding -> finding.defect() == Defect.NO_VOLUME_GUARD);
  }

  @Test
  void anotherEnginesNamesAreKnown() {
    assertThat(words("sglang:num_running_reqs > 5")).isEmpty();
    assertThat(findings("sglang:nothing > 5", "warning"))
        .anyMatch(finding -> finding.why().contains("no metric of SGLang"));
  }

  @Test
  void aTemplateIsToldToBeRendered() {
    String template = "{{- if .Values.on }}\ngroups:\n- name: {{ .Release.Name }}\n{{- end }}\n";
    assertThatThrownBy(() -> RuleFile.read("t.yaml", template))
        .isInstanceOf(RuleFileException.class)
        .hasMessageContaining("render it first")
        .hasMessageNotContaining("org.yaml");
    assertThat(findings("'vllm:num_requests_waiting > {{ .Values.waiting }}'", "page"))
        .anyMatch(finding -> finding.why().contains("render it first"));
  }

  private static List<String> words(String expression) {
    return findings("'" + expression.replace("TTFT", TTFT) + "'", "warning").stream()
        .map(finding -> finding.defect().word())
        .filter(word -> !word.equals("no_volume_guard"))
        .toList();
  }

  private static List<LintFinding> findings(String expression, String severity) {
    String text =
        """
        groups:
        - name: g
          rules:
          - alert: A
            expr: %s
            labels: {severity: %s}
            annotations: {runbook_url: u}
        - name: absence
          rules:
          - alert: B
            expr: absent(up)
            annotations: {runbook_url: u}
        """;
    return RuleLint.check(
        RuleFile.read("r.yaml", text.formatted(expression, severity)), ExposedSeries.none());
  }
}
