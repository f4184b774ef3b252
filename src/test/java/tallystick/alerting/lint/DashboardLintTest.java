package tallystick.alerting.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleFile.LeftOut;
import tallystick.alerting.RuleFileException;

/** Dashboards and alerts that Grafana manages are linted as rules are, by panel and path. */
class DashboardLintTest {
  private static final Path BOARDS = Path.of("src/test/resources/lint/boards");

  @Test
  void aGrafanaDashboardsFaultsAreFoundWhereverItsQueriesStand() {
    RuleFile file = read("grafana.json");
    assertThat(shown(file))
        .containsExactlyInAnyOrder(
            "9 annotation preemptions (dashboard.annotations.list[1].expr) no_such_series",
            "15 variable model (dashboard.templating.list[1].query.query) no_such_series",
            "32 TTFT (dashboard.panels[0].panels[0].targets[1].expr) quantile_without_rate",
            "33 TTFT (dashboard.panels[0].panels[0].targets[2].expr) quantile_grouping",
            "39 Time per output token (dashboard.panels[0].panels[1].targets[0].expr)"
                + " no_such_series",
            "49 KV cache (dashboard.panels[1].targets[0].expr) no_such_series",
            "50 KV cache (dashboard.panels[1].targets[1].expr) summed_share",
            "52 KV cache (dashboard.panels[1].targets[3].expr) raw_counter",
            "70 Mixed (dashboard.panels[3].targets[3].expr) no_such_label");
    assertThat(file.rules()).hasSize(13);
    assertThat(file.leftOut()).isEqualTo(new LeftOut(4, 1));
  }

  @Test
  void whatToWriteKeepsTheVariables() {
    assertThat(RuleLint.check(read("grafana.json"), ExposedSeries.none()))
        .extracting(LintFinding::corrected)
        .contains(
            "histogram_quantile(0.99, sum by (le)"
                + " (rate(vllm:inter_token_latency_seconds_bucket{model_name=\"$model\"}"
                + "[${window}])))",
            "max(vllm:kv_cache_usage_perc{model_name=\"$model\"})",
            "sum by (model_name) (vllm:num_requests_waiting{job=~\".*vllm.*\"})");
  }

  @Test
  void alertsThatGrafanaManagesAreReadAndTheirExpressionsSkipped() {
    RuleFile file = read("alerts.yaml");
    assertThat(shown(file))
        .containsExactly(
            "19 Slow first tokens (groups[0].rules[0].data[0].model.expr) quantile_without_rate");
    assertThat(file.leftOut()).isEqualTo(new LeftOut(3, 0));
  }

  @Test
  void aPersesDashboardIsRead() {
    RuleFile file = read("perses.yaml");
    assertThat(shown(file))
        .containsExactly(
            "14 variable model (spec.variables[0].spec.plugin.spec.matchers[0]) no_such_series",
            "29 KV cache (spec.panels.kv.spec.queries[0].spec.plugin.spec.query) no_such_series");
    assertThat(file.rules()).hasSize(3);
    assertThat(file.leftOut()).isEqualTo(new LeftOut(1, 0));
  }

  @Test
  void whatIsDeployedTogetherIsReadTogether() {
    assertThat(shown(read("bundle.yaml")))
        .containsExactly(
            "16 Waiting (data.chat.json.panels[0].targets[0].expr) no_such_series",
            "17 Waiting (data.chat.json.panels[0].targets[1].expr) no_such_series",
            "31 chat:kv no_such_series");
  }

  @Test
  void theSecondFormOfGrafanasDashboardsIsRead() {
    String text =
        """
        {"apiVersion": "dashboard.grafana.app/v2beta1", "kind": "Dashboard", "spec": {
          "elements": {"panel-1": {"kind": "Panel", "spec": {"title": "KV", "data": {
            "kind": "QueryGroup", "spec": {"queries": [
              {"kind": "PanelQuery", "spec": {"refId": "A", "query": {"kind": "DataQuery",
                "group": "prometheus", "spec": {"expr": "vllm:gpu_cache_usage_perc"}}}},
              {"kind": "PanelQuery", "spec": {"refId": "B", "query": {"kind": "DataQuery",
                "group": "loki", "spec": {"expr": "{a=\\"b\\"} |= 1"}}}}]}}}}},
          "variables": [{"kind": "QueryVariable", "spec": {"name": "model", "query": {
            "kind": "DataQuery", "group": "prometheus",
            "spec": {"query": "label_values(vllm:num_requests_waiting, model)"}}}}]}}
        """;
    RuleFile file = LintFile.read("x", text);
    assertThat(shown(file))
        .containsExactly(
            "5 KV (spec.elements.panel-1.spec.data.spec.queries[0].spec.query.spec.expr)"
                + " no_such_series",
            "10 variable model (spec.variables[0].spec.query.spec.query) no_such_label");
    assertThat(file.leftOut()).isEqualTo(new LeftOut(1, 0));
    assertThat(RuleLint.check(file, ExposedSeries.none()).getLast().corrected())
        .isEqualTo("label_values(vllm:num_requests_waiting, model_name)");
  }

  @Test
  void aLibraryPanelIsRead() {
    assertThat(shown(read("library.json")))
        .containsExactly("1 Swapped (result.model.targets[0].expr) no_such_series");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate(vllm:prompt_tokens_total[$__rate_interval])",
        "rate(vllm:prompt_tokens_total[$__range:$__interval])",
        "increase(vllm:prompt_tokens_total[${__range_s}s])",
        "increase(vllm:prompt_tokens_total[[[window]]] offset $back)",
        "vllm:num_requests_waiting{model_name=~\"$model\",pod=~\"^(${pod:pipe})$\"}",
        "vllm:num_requests_waiting{$filters}",
        "vllm:num_requests_waiting{job=\"x\", ${filters}}",
        "vllm:num_requests_waiting{$label=~\"x\"}",
        "rate(vllm:request_success_total{finished_reason=~\"$reason\"}[5m])",
        "rate(vllm:time_to_first_token_seconds_bucket{le=\"$edge\"}[5m])",
        "vllm:$metric", "$metric", "rate(${metric}_total[5m])", "rate(vllm:[[metric]]_sum[5m])",
        "$metric{model_name=\"x\"}", "$whole", "${first} / ${second}",
        "{__name__=~\"vllm:$metric\"}",
        "histogram_quantile($q, sum by (le, $group) (rate(vllm:$metric[5m])))",
        "topk($n, sum by ([[group]]) (rate(vllm:prompt_tokens_total[5m])))",
        "vllm:num_requests_waiting * $factor > $limit",
        "sum by ($a, $b) (vllm:num_requests_waiting)",
        "sum(vllm:kv_cache_usage_perc{instance=~\"$instance\"})",
        "sum by ($group) (vllm:kv_cache_usage_perc)",
        "sum by (kubernetes_pod_name) (vllm:kv_cache_usage_perc)",
        "rate(vllm:request_success_total{finished_reason!=\"stop\"}[5m])",
        "label_replace(vllm:num_requests_waiting, \"a\", \"$1\", \"pod\", \"(.*)-x\")",
        "vllm:num_requests_waiting # all of $model",
        "sum(rate(vllm:prompt_tokens_total[5m])) / clamp_min(sum(rate(x_total[5m])), 0.001)",
        "sum by (model) (rate(vllm:input_tokens_total[5m]))", "vllm:healthy_pods_total",
        "histogram_quantile(0.9, sum by (le) (rate(vllm:e2e_request_latency_seconds_bucket[5m])))",
      })
  void aSoundQueryHasNoFinding(String query) {
    RuleFile file = panel(query);
    assertThat(shown(file)).isEmpty();
    assertThat(file.rules()).hasSize(1).allMatch(rule -> rule.fault().isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "vllm:gpu_cache_usage_perc{pod=~\"$pod\"}; no_such_series",
        "rate(vllm:num_requests_waiting[$__rate_interval]); rate_of_gauge",
        "rate(vllm:time_to_first_token_seconds_bucket{le=\"1\",pod=\"$pod\"}[5m]); no_such_series",
        "vllm:num_requests_waiting{model=\"$model\"}; no_such_label",
        "histogram_quantile(95, sum by (le) (rate(vllm:x_seconds_bucket[$w]))); quantile_level",
        "histogram_quantile(0.9, sum by (pod)"
            + " (rate(vllm:e2e_request_latency_seconds_bucket[$w]))); quantile_grouping",
        "sum(x) / clamp_min(sum(rate(vllm:prompt_tokens_total[$w])), 1); clamped_rate",
        "rate(vllm:prompt_tokens_total[5m]; syntax",
        "vllm:kv_cache_usage_perc > 80; unreachable_threshold",
      })
  void aDefectIsFoundBesideVariables(String query, String defect) {
    assertThat(shown(panel(query))).anyMatch(line -> line.endsWith(" " + defect));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "vllm:num_requests_waiting > 0", "vllm:kv_cache_usage_perc > 0.9",
        "vllm:num_requests_running == 0", "vllm:prompt_tokens_total > 5", "count(up == 1) == 0",
        "vllm:num_requests_waiting > bool 3"
      })
  void whatOnlyAnAlertCanDoWrongIsNotAskedOfAPanel(String query) {
    assertThat(shown(panel(query))).isEmpty();
  }

  @Test
  void whatOnlyVictoriaMetricsReadsIsNoMistakeThere() {
    String query = "\"targets\":[{\"expr\":\"rate(x) default 0\"}]}]}";
    String source = "{\"panels\":[{\"datasource\":{\"type\":\"%s\"}," + query;
    String rule = "groups: [{name: g, rules: [{record: 'a:b', expr: 'rate(x) default 0'}]}]";
    String kind = "kind: VMRule\nspec: {" + rule + "}";
    String victoria = source.formatted("victoriametrics-metrics-datasource");
    assertThat(shown(LintFile.read("x", victoria))).allMatch(line -> line.endsWith("_understood"));
    assertThat(shown(LintFile.read("x", kind))).allMatch(line -> line.endsWith("_understood"));
    String prometheus = source.formatted("prometheus");
    assertThat(shown(LintFile.read("x", prometheus))).allMatch(line -> line.endsWith(" syntax"));
    assertThat(shown(LintFile.read("x", rule))).allMatch(line -> line.endsWith(" syntax"));
  }

  @Test
  void aDashboardWithoutPromqlIsRead() {
    RuleFile file =
        LintFile.read(
            "x.json",
            "{\"panels\":[{\"type\":\"text\"},{\"targets\":[{\"rawSql\":\"select 1\"}]}]}");
    assertThat(file.rules()).isEmpty();
    assertThat(file.leftOut()).isEqualTo(new LeftOut(1, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"name\": \"left-pad\", \"version\": \"1.3.0\"}; x:1: has no key groups, as rules have,"
            + " and no panels with queries, as dashboards have",
        "{\"panels\": [{\"title\": ]}; x:1: not valid JSON: unexpected ]",
        "{\"panels\": [{\"title\": 1}; x:1: not valid JSON: it ends before every bracket",
        "{\"panels\": []} // mine; x:1: not valid JSON: JSON has no comments",
        "{\"panels\": [{{ .Values.panels }}]}; x:1: not valid JSON: this is a template",
        "[1, 2]; x:1: a rule file must be keys and values",
        "a picture; x:1: a rule file must be keys and values",
      })
  void whatIsNoDashboardIsRefused(String text, String message) {
    assertThatThrownBy(() -> LintFile.read("x", text))
        .isInstanceOf(RuleFileException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void aBombIsNotUnfolded() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 60; i++) {
      bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }
    assertThat(LintFile.read("x", bomb + "panels: [*a59]\n").rules()).isEmpty();
    String deep = "{\"panels\":" + "[".repeat(100_000);
    assertThatThrownBy(() -> LintFile.read("x", deep)).isInstanceOf(RuleFileException.class);
    String longest =
        "{\"panels\":[{\"targets\":[{\"expr\":\"" + "$a + ".repeat(800_000) + "1\"}]}]}";
    assertThat(LintFile.read("x", longest).leftOut()).isEqualTo(new LeftOut(0, 1));
  }

  @Test
  void aRuleFileIsReadAsBefore() {
    String rules =
        "groups: [{name: g, rules: [{alert: A, expr: up, labels: {panels: x},"
            + " annotations: {expr: up}}]}]";
    assertThat(LintFile.read("x", rules)).isEqualTo(RuleFile.read("x", rules));
  }

  private static RuleFile panel(String query) {
    String text = query.replace("\\", "\\\\").replace("\"", "\\\"");
    return LintFile.read("x", "{\"panels\":[{\"targets\":[{\"expr\":\"" + text + "\"}]}]}");
  }

  private static List<String> shown(RuleFile file) {
    return RuleLint.check(file, ExposedSeries.none()).stream()
        .map(each -> each.line() + " " + each.rule() + " " + each.defect().code())
        .toList();
  }

  private static RuleFile read(String name) {
    try {
      return LintFile.read(name, Files.readString(BOARDS.resolve(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
