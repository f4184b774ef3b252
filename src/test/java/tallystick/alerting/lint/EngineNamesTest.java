package tallystick.alerting.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.alerting.RuleFile;

/** What lint knows of the engines' names, and what only one rule of a file shows. */
class EngineNamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate(vllm:kv_offload_load_bytes_total[5m]) > 1e9",
        "rate(vllm:mooncake_num_failed_transfers_total[5m]) > 0",
        "increase(vllm:nixl_num_failed_transfers_total[10m]) > 0",
        "vllm:sleep_mode_operations_in_flight > 0",
        "rate(vllm:tool_call_parser_invocations_total[5m]) > 100",
        "sum(rate(vllm:kv_offload_load_time_total[30m]))"
            + " / sum(rate(vllm:kv_offload_load_size_count[30m])) > 10",
        "kserve_vllm:mooncake_num_failed_transfers_total > 0",
        "rate(ray_vllm_kv_offload_store_bytes_total[5m]) > 1e9",
        "sglang:gen_throughput > 50",
        "sglang:spec_accept_length < 1.5",
        "rate(sglang:evicted_tokens_total[5m]) > 1e5",
        "sglang:hicache_host_used_tokens / sglang:hicache_host_total_tokens > 0.95",
        "rate(sglang:num_transfer_failed_reqs_total[5m]) > 0",
        "sglang:eplb_balancedness_sum > 0",
      })
  void aNameThatAReleaseDefinesIsASeries(String expression) {
    assertThat(series(expression)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "vllm:num_request_waiting; did you mean vllm:num_requests_waiting?",
        "vllm:kv_cache_usage_percent; did you mean vllm:kv_cache_usage_perc?",
        "vllm:num_requests_waiting_total; did you mean vllm:num_requests_waiting?",
        "kserve_vllm:num_request_waiting; did you mean kserve_vllm:num_requests_waiting?",
        "ray_vllm_num_request_waiting; did you mean ray_vllm_num_requests_waiting?",
        "sglang:num_que_reqs; did you mean sglang:num_queue_reqs?",
        "vllm:connector_num_failed_transfers_total; check it with --target",
        "vllm:kv_offload_delete_bytes_total; check it with --target",
        "sglang:evicted_bytes_total; check it with --target",
        "sglang:num_waiting_reqs; check it with --target",
      })
  void aSuggestionIsAMisspellingAndNoOtherMetric(String name, String advice) {
    assertThat(series(name + " > 5"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.why()).endsWith(advice));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "sglang:time_per_output_token_seconds_sum; SGLang since 0.4.4;"
            + " sglang:inter_token_latency_seconds_sum",
        "vllm:gpu_cache_usage_perc; vLLM since 0.12; vllm:kv_cache_usage_perc",
        "kserve_vllm:gpu_cache_usage_perc; vLLM since 0.12; kserve_vllm:kv_cache_usage_perc",
        "sglang:num_retractions_sum; SGLang since 0.5.11; ''",
      })
  void aNameThatIsGoneSaysSinceWhenAndWhatItIsCalled(String name, String since, String now) {
    assertThat(series(name + " > 5"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.why()).contains("is gone from current releases of " + since);
              assertThat(finding.corrected()).isEqualTo(now.isEmpty() ? "" : now + " > 5");
            });
  }

  @Test
  void aHistogramWithoutItsPartsMayBeANativeOne() {
    for (String expression :
        List.of(
            "histogram_quantile(0.9, sum(rate(vllm:time_to_first_token_seconds[5m]))) > 1",
            "sum(rate(sglang:queue_time_seconds[5m])) > 1")) {
      assertThat(series(expression))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.severity()).isEqualTo(LintFinding.Severity.NOTE);
                assertThat(finding.why()).contains("convert_classic_histograms_to_nhcb");
              });
    }
    assertThat(series("vllm:time_to_first_token_seconds > 1"))
        .singleElement()
        .satisfies(f -> assertThat(f.severity()).isEqualTo(LintFinding.Severity.ERROR));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum by (instance) (vllm:num_requests_waiting) > 0"
            + " and sum by (instance) (vllm:num_requests_running) == 0",
        "vllm:num_requests_waiting > 0 unless vllm:num_requests_running > 0",
        "sglang:num_queue_reqs > 0 and sglang:num_running_reqs < 1",
        "sum(kserve_vllm:num_requests_waiting_by_reason) > 0"
            + " and (sum(kserve_vllm:num_requests_running) or vector(0)) == 0",
      })
  void requestsThatWaitWhileNoneRunForMinutesAreAStallAndNoResource(String expression) {
    assertThat(pages(expression, "5m")).isEmpty();
    assertThat(pages(expression, "0s"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.corrected()).isEqualTo("for: 5m"));
  }

  @Test
  void waitingAloneIsAResource() {
    assertThat(pages("vllm:num_requests_waiting > 5", "5m"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.why()).contains("how full the engine is"));
    assertThat(pages("vllm:num_requests_waiting > 5 and vllm:num_requests_running > 5", "5m"))
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "sglang:num_queue_reqs > 5; alert: SGLangTargetDown, expr: up{job=\"sglang\"} == 0"
            + " or absent(up{job=\"sglang\"})",
        "vllm:num_requests_waiting > 5; alert: VLLMTargetDown, expr: up{job=\"vllm\"} == 0"
            + " or absent(up{job=\"vllm\"})",
        "sglang:num_queue_reqs{job=\"chat\"} > 5; alert: SGLangTargetDown,"
            + " expr: up{job=\"chat\"} == 0 or absent(up{job=\"chat\"})",
        "num_requests_waiting > 5; alert: NVIDIANIMTargetDown, expr: up{job=\"nim\"} == 0"
            + " or absent(up{job=\"nim\"})",
      })
  void theAdviceSpeaksOfTheEngineOfTheFile(String expression, String advice) {
    assertThat(findings(expression, "warning", "5m"))
        .filteredOn(finding -> finding.defect() == Defect.SILENT_ABSENCE)
        .singleElement()
        .satisfies(finding -> assertThat(finding.corrected()).isEqualTo(advice));
  }

  @Test
  void theSumOfNoTargetsIsNotZero() {
    assertThat(findings("sum(up{job=\"vllm\"}) == 0", "critical", "2m"))
        .filteredOn(finding -> finding.defect() == Defect.SILENT_ABSENCE)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.why()).contains("nothing, not 0");
              assertThat(finding.corrected())
                  .isEqualTo("(sum(up{job=\"vllm\"}) or vector(0)) == 0");
            });
    assertThat(findings("max by (job) (up) < 1", "critical", "2m"))
        .filteredOn(finding -> finding.defect() == Defect.SILENT_ABSENCE)
        .singleElement()
        .satisfies(finding -> assertThat(finding.why()).contains("absent(...)"));
  }

  @Test
  void anAlertAboutIdlenessMayFireWhenIdle() {
    assertThat(idle("EngineIdle")).isEmpty();
    assertThat(idle("NoThroughput")).hasSize(1);
  }

  private static List<LintFinding> idle(String name) {
    return named(name, "sglang:gen_throughput == 0", "warning", "30m").stream()
        .filter(finding -> finding.defect() == Defect.FIRES_WHEN_IDLE)
        .toList();
  }

  private static List<LintFinding> series(String expression) {
    return findings(expression, "warning", "5m").stream()
        .filter(finding -> finding.defect() == Defect.NO_SUCH_SERIES)
        .toList();
  }

  private static List<LintFinding> pages(String expression, String hold) {
    return findings(expression, "critical", hold).stream()
        .filter(finding -> finding.defect() == Defect.RESOURCE_PAGE)
        .toList();
  }

  private static List<LintFinding> findings(String expression, String severity, String hold) {
    return named("A", expression, severity, hold);
  }

  private static List<LintFinding> named(
      String name, String expression, String severity, String hold) {
    String text =
        """
        groups:
        - name: g
          rules:
          - alert: %s
            expr: '%s'
            for: %s
            labels: {severity: %s}
            annotations: {runbook_url: u}
        """;
    return RuleLint.check(
        RuleFile.read("r.yaml", text.formatted(name, expression, hold, severity)),
        ExposedSeries.none());
  }
}
