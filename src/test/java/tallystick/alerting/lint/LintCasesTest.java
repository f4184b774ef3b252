package tallystick.alerting.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleFileException;
import tallystick.runrecord.Series;

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
        "vllm:num_requests_waiting > 10 and up == 1; unmatched_labels",
        "vllm:num_requests_waiting * up > 10; unmatched_labels",
        "vllm:num_requests_running / vllm:cache_config_info > 10; unmatched_labels",
        "vllm:num_requests_waiting{model=\"tiny\"} > 10; no_such_label",
        "vllm:num_requests_waiting{model_nam=\"tiny\"} > 10; no_such_label",
        "vllm:prefix_cache_hits_total / vllm:prefix_cache_queries_total < 0.2; raw_counter",
        "TTFT_sum / TTFT_count > 2; raw_counter",
        "quantile(0.95, rate(TTFT_sum[5m]) / rate(TTFT_count[5m])) > 2; quantile_grouping",
        "quantile_over_time(0.95, (rate(TTFT_sum[5m]) / rate(TTFT_count[5m]))[30m:1m]) > 2;"
            + " quantile_grouping",
        "rate(TTFT_sum[5m]) / rate(vllm:e2e_request_latency_seconds_count[5m]) > 2;"
            + " wrong_denominator",
        "sum(rate(TTFT_bucket{le=\"1.0\"}[5m]))"
            + " / sum(rate(vllm:e2e_request_latency_seconds_count[5m])) < 0.9; wrong_denominator",
      })
  void aDefectIsFound(String expression, String defect) {
    assertThat(words(expression)).contains(defect);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "vllm:num_requests_waiting > bool 100; always_fires",
        "(vllm:kv_cache_usage_perc > bool 0.9) * (vllm:num_requests_waiting > bool 5);"
            + " always_fires",
        "sum(rate(vllm:num_preemptions_total[5m])) or vector(0) > 5; always_fires",
        "histogram_quantile(0.99, sum by (le) (rate(TTFT_sum[5m]))) > 1; quantile_grouping",
        "histogram_quantile(0.99, rate(TTFT_count[5m])) > 1; quantile_grouping",
        "histogram_quantile(0.9, max by (le, model_name) (rate(TTFT_bucket[5m]))) > 1;"
            + " quantile_grouping",
        "avg(histogram_quantile(0.9, sum by (le, model_name) (rate(TTFT_bucket[5m])))) > 1;"
            + " quantile_grouping",
        "deriv(vllm:num_preemptions_total[5m]) > 1; change_of_counter",
        "delta(vllm:num_preemptions_total[5m]) > 1; change_of_counter",
        "max by (pod) (max_over_time(vllm:kv_cache_usage_perc[5m])) > 90; unreachable_threshold",
        "quantile_over_time(0.9, vllm:kv_cache_usage_perc[5m]) > 1; unreachable_threshold",
        "avg(vllm:kv_cache_usage_perc) > 1; unreachable_threshold",
      })
  void whatFiresAlwaysOrNeverIsFound(String expression, String defect) {
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
        "vllm:num_requests_waiting > 10 and on (instance, job) up == 1",
        "vllm:num_requests_waiting > 10 and ignoring (model_name, engine) up == 1",
        "vllm:num_requests_waiting{model_name=\"a\",namespace=\"n\",node=\"b\"} > 10",
        "vllm:num_requests_waiting{engine_pool=\"a\",container=\"b\",cluster=\"c\"} > 10",
        "count(vllm:num_preemptions_total) > 3",
        "vllm:num_preemptions_total - vllm:num_preemptions_total offset 5m > 10",
        "absent(rate(vllm:generation_tokens_total[5m])) == 0",
        "(vllm:kv_cache_usage_perc > bool 0.9) * (vllm:num_requests_waiting > bool 5) == 1",
        "sum(vllm:kv_cache_usage_perc > bool 0.9) >= 2",
        "(vllm:num_requests_waiting > 5) > bool 100",
        "(sum(rate(vllm:num_preemptions_total[5m])) or vector(0)) > 5",
        "absent(vllm:num_requests_waiting) or vector(0) > 5",
        "max(histogram_quantile(0.9, sum by (le, model_name) (rate(TTFT_bucket[5m])))) > 1",
        "delta(vllm:num_requests_waiting[5m]) > 20",
        "predict_linear(vllm:kv_cache_usage_perc[10m], 600) > 1",
        "changes(vllm:kv_cache_usage_perc[10m]) > 20",
        "sum_over_time(vllm:kv_cache_usage_perc[10m]) > 10",
        "count_over_time((vllm:kv_cache_usage_perc > 0.95)[10m:30s]) > 5",
        "deriv(vllm:kv_cache_usage_perc[10m]) > 1",
        "vllm:kv_cache_usage_perc >= 1",
        "time() - process_start_time_seconds < 5m",
      })
  void whatIsWellHasNoFinding(String expression) {
    assertThat(words(expression)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "count(up{job=\"vllm\"} == 1) == 0; silent_absence",
        "count(vllm:num_requests_running) < 1; silent_absence",
        "sum by (job) (up == 1) < 1; silent_absence",
        "sum(vllm:kv_cache_usage_perc) > 1.5; summed_share",
        "sum by (model_name) (avg_over_time(vllm:kv_cache_usage_perc[5m])) > 0.9; summed_share",
        "sum(sglang:token_usage) > 0.9; summed_share",
        "sum(sglang:swa_token_usage) > 0.9; summed_share",
        "sum(DCGM_FI_DEV_GPU_UTIL) > 90; summed_share",
        "sglang:gen_throughput == 0; fires_when_idle",
        "sglang:cache_hit_rate < 0.1; fires_when_idle",
        "avg(sglang:spec_accept_length) < 1.5; fires_when_idle",
        "vllm:kv_cache_usage_perc < 0.05; fires_when_idle",
        "sglang:time_per_output_token_seconds_sum > 1; no_such_series",
        "rate(vllm:iteration_tokens_total[5m]) > 1; no_such_series",
      })
  void whatSeveralReplicasOrNoneMakeOfARuleIsFound(String expression, String defect) {
    assertThat(words(expression)).contains(defect);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum by (instance) (vllm:kv_cache_usage_perc) > 0.9",
        "sum(vllm:kv_cache_usage_perc{pod=\"a\"}) > 0.9",
        "sum(vllm:kv_cache_usage_perc) / count(vllm:kv_cache_usage_perc) > 0.9",
        "sum(sglang:kv_cache_memory_usage_gb) > 100",
        "(sum(up{job=\"vllm\"}) or vector(0)) == 0",
        "sum(up{job=\"vllm\"}) == 0",
        "sum(up{job=\"vllm\"}) == 0 or absent(up{job=\"vllm\"})",
        "count(up{job=\"vllm\"}) < 3",
        "count(up{job=\"vllm\"} == 0) > 1",
        "up{job=\"vllm\"} == 0",
        "sglang:gen_throughput == 0 and sglang:num_queue_reqs > 0",
        "sglang:gen_throughput > 50",
        "sglang:hicache_host_used_tokens / sglang:hicache_host_total_tokens > 0.95",
        "rate(vllm:kv_offload_load_bytes_total[5m]) > 1e9",
        "avg_over_time(sglang:fwd_occupancy[10m]) < 10",
      })
  void whatIsWellWithSeveralReplicasHasNoFinding(String expression) {
    assertThat(words(expression)).isEmpty();
  }

  @Test
  void aHistogramOfTokensIsNotTakenForSeconds() {
    String bucket = "vllm:request_prompt_tokens_bucket";
    ExposedSeries exposed =
        ExposedSeries.of(
            Stream.of("1.0", "1000.0", "2000.0", "50000.0", "+Inf")
                .map(le -> Series.of(bucket, Map.of("le", le), Series.Type.HISTOGRAM))
                .toList());
    String quantile = p95("vllm:request_prompt_tokens");
    assertThat(findings(quantile + " > 1500", "warning", exposed))
        .anyMatch(finding -> finding.defect() == Defect.OFF_EDGE_THRESHOLD)
        .noneMatch(finding -> finding.severity() == LintFinding.Severity.ERROR)
        .noneMatch(finding -> finding.why().contains("seconds"));
    assertThat(findings(quantile + " > 60000", "warning", exposed))
        .anyMatch(finding -> finding.why().contains("last finite edge, 50000: the rule never"));
  }

  @ParameterizedTest
  @CsvSource({"time_to_first_token_seconds, 120", "e2e_request_latency_seconds, 1200"})
  void aLatencyThatCanBeReachedIsNoErrorButAskedAbout(String metric, String threshold) {
    assertThat(findings(p95("vllm:" + metric) + " > " + threshold, "warning"))
        .noneMatch(finding -> finding.severity() == LintFinding.Severity.ERROR)
        .anyMatch(finding -> finding.why().contains("if you mean " + threshold + " ms, write "));
    assertThat(findings(p95("vllm:" + metric) + " > 10000", "warning"))
        .anyMatch(finding -> finding.why().contains("looks like milliseconds"))
        .anyMatch(finding -> finding.severity() == LintFinding.Severity.ERROR);
  }

  @Test
  void aFallIsNotAskedOfARateThatNeverFalls() {
    assertThat(findings("deriv(vllm:num_preemptions_total[5m]) < 0", "warning"))
        .filteredOn(finding -> finding.defect() == Defect.CHANGE_OF_COUNTER)
        .singleElement()
        .satisfies(finding -> assertThat(finding.corrected()).isEmpty());
    assertThat(findings("deriv(vllm:num_preemptions_total[5m]) < 5", "warning"))
        .anyMatch(finding -> finding.corrected().contains("rate("));
  }

  @Test
  void labelsOfEachSideAreNotSaidToBeOnOne() {
    String apart =
        "sum by (model_name) (rate(x_total[5m])) / sum by (job) (rate(y_total[5m])) > 1";
    assertThat(findings(apart, "warning"))
        .anyMatch(
            finding ->
                finding.why().startsWith("the labels job and model_name are each only on one"));
  }

  @Test
  void aQuantileCanBeTheLastEdgeButNotAboveIt() {
    assertThat(words(p95(TTFT) + " > 2560")).contains("unreachable_threshold");
    assertThat(words(p95(TTFT) + " >= 2560")).doesNotContain("unreachable_threshold");
  }

  @Test
  void aMeanSinceTheStartIsNotSaidToStayForever() {
    assertThat(findings(TTFT + "_sum / " + TTFT + "_count > 2", "warning"))
        .filteredOn(finding -> finding.defect() == Defect.RAW_COUNTER)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.why()).contains("it reacts late").doesNotContain("never");
              assertThat(finding.corrected()).contains("rate(" + TTFT + "_sum[5m])");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"rate", "increase"})
  void whatARatioDividesByIsAVolume(String function) {
    String ratio =
        "sum(rate(vllm:prefix_cache_hits_total[30m]))"
            + " / sum(rate(vllm:prefix_cache_queries_total[30m])) < 0.1";
    assertThat(findings(ratio, "warning"))
        .filteredOn(finding -> finding.defect() == Defect.NO_VOLUME_GUARD)
        .singleElement()
        .satisfies(finding -> assertThat(finding.why()).doesNotContain("bad event"));
    String guard = " and sum(" + function + "(vllm:prefix_cache_queries_total[30m])) > 100";
    assertThat(findings(ratio + guard, "warning"))
        .noneMatch(finding -> finding.defect() == Defect.NO_VOLUME_GUARD);
    String other = " and sum(" + function + "(vllm:num_preemptions_total[30m])) > 100";
    assertThat(findings(ratio + other, "warning"))
        .anyMatch(finding -> finding.defect() == Defect.NO_VOLUME_GUARD);
  }

  @Test
  void noThresholdIsMadeUpForAShareAboveOne() {
    String share = "sum(rate(" + TTFT + "_bucket[5m])) / sum(rate(" + TTFT + "_count[5m]))";
    assertThat(findings("1 - " + share + " > 14.4 * 0.1", "warning"))
        .filteredOn(finding -> finding.defect() == Defect.BURN_FACTOR)
        .singleElement()
        .satisfies(finding -> assertThat(finding.corrected()).isEmpty());
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
        .anyMatch(finding -> finding.why().contains("not a metric of SGLang"));
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
        .map(finding -> finding.defect().code())
        .filter(word -> !word.equals("no_volume_guard"))
        .toList();
  }

  private static String p95(String family) {
    return "histogram_quantile(0.95, sum by (le, model_name) (rate(" + family + "_bucket[5m])))";
  }

  private static List<LintFinding> findings(String expression, String severity) {
    return findings(expression, severity, ExposedSeries.none());
  }

  private static List<LintFinding> findings(
      String expression, String severity, ExposedSeries exposed) {
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
        RuleFile.read("r.yaml", text.formatted(expression, severity)), exposed);
  }
}
