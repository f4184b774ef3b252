package tallystick.alerting.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.NeedsProgram;
import tallystick.alerting.Promtool;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.MadeAlerts;
import tallystick.alerting.derivation.Requirement;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.UnmetRequirement;
import tallystick.alerting.lint.LintFile;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expressions;
import tallystick.promql.PromqlParser;
import tallystick.runrecord.ClientMetric;
import tallystick.runrecord.MetricVocabulary;
import tallystick.scenario.Objective;

class DashboardTest {
  @TempDir private Path folder;
  private JsonNode root;

  @BeforeEach
  void write() throws IOException {
    DerivedAlerts derived = MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1);
    root = new ObjectMapper().readTree(Dashboard.of(derived));
  }

  @Test
  void panelsHaveIdsOfTheirOwnAndDoNotOverlap() {
    Set<Integer> ids = new HashSet<>();
    Set<String> places = new HashSet<>();
    for (JsonNode panel : root.get("panels")) {
      assertThat(ids.add(panel.get("id").asInt())).isTrue();
      JsonNode grid = panel.get("gridPos");
      assertThat(grid.get("x").asInt() + grid.get("w").asInt()).isLessThanOrEqualTo(24);
      for (int x = 0; x < grid.get("w").asInt(); x++) {
        for (int y = 0; y < grid.get("h").asInt(); y++) {
          int column = grid.get("x").asInt() + x;
          int row = grid.get("y").asInt() + y;
          assertThat(places.add(column + "," + row)).isTrue();
        }
      }
    }
    assertThat(ids).hasSize(21);
  }

  @Test
  void everyMetricOfEveryPanelIsInARealSample() throws IOException {
    Set<String> known =
        MadeAlerts.samples().stream().map(s -> s.series().name()).collect(Collectors.toSet());
    String gpu = Files.readString(Path.of("src/test/resources/scrape/dcgm_exporter_sample.txt"));
    for (String expression : expressions()) {
      Expressions.all(PromqlParser.parse(expression), VectorSelector.class)
          .map(VectorSelector::metric)
          .forEach(
              metric ->
                  assertThat(
                          known.contains(metric)
                              || metric.equals("ALERTS")
                              || isOurs(metric)
                              || gpu.contains("\n" + metric + "{")
                              || isOffByDefault(metric))
                      .as(metric)
                      .isTrue());
    }
  }

  @Test
  void derivedThresholdsAreDrawnAndPercentilesShowTheirVolume() {
    JsonNode ttft = root.get("panels").get(4);
    assertThat(ttft.get("title").asText()).isEqualTo("Time to first token");
    assertThat(ttft.at("/fieldConfig/defaults/thresholds/steps/1/value").asDouble())
        .isEqualTo(0.75);
    assertThat(ttft.get("targets")).hasSize(3);
    assertThat(ttft.at("/targets/2/expr").asText()).contains("increase(", "_count");
  }

  @Test
  void theBudgetComesFirstAndItsArithmeticHolds() {
    JsonNode left = root.get("panels").get(0);
    assertThat(left.get("type").asText()).isEqualTo("stat");
    assertThat(left.at("/targets/0/expr").asText())
        .startsWith("1 - (1 - sum by (model_name) (rate(vllm:time_to_first_token_seconds_bucket{")
        .contains("le=~\"1(\\\\.0)?\"}[30d]")
        .endsWith(" / 0.01");
    JsonNode burn = root.get("panels").get(1);
    assertThat(burn.at("/targets/0/expr").asText()).contains("[1h]");
    assertThat(burn.at("/targets/1/expr").asText()).contains("[6h]");
    assertThat(burn.at("/fieldConfig/defaults/thresholds/steps").findValuesAsText("value"))
        .containsExactly("null", "6.0", "14.4");
    assertThat(root.at("/panels/2/fieldConfig/defaults/thresholds/steps/1/value").asDouble())
        .isEqualTo(0.01);
  }

  @Test
  void anObjectiveOutsideTheEdgesHasNoBudgetToShow() throws IOException {
    DerivedAlerts made = MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1);
    DerivedAlerts refused =
        MadeAlerts.of(
            made.request(), made.edge(),
            List.of(
                new SignalOutcome.Refused(
                    Signal.BAD_RATIO,
                    List.of(new UnmetRequirement(Requirement.EDGES, 0, 1, "0 edges, need 1")))),
            made.holdMillis(), made.query(), made.validity());
    JsonNode other = new ObjectMapper().readTree(Dashboard.of(refused));
    assertThat(other.get("panels")).hasSize(18);
  }

  @Test
  void alertsAreDrawnAndAnAddressOfTheRunbookIsALink() throws IOException {
    assertThat(root.at("/annotations/list/0/expr").asText())
        .contains("ALERTS{alertname=~\"VLLM.*\",alertstate=\"firing\"");
    assertThat(root.get("links")).isEmpty();
    assertThat(root.at("/panels/4/description").asText())
        .isEqualTo("Runbook: docs/runbook.md#vllmhighttft");
    DerivedAlerts made = MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1);
    DerivedAlerts elsewhere =
        MadeAlerts.of(
            MadeAlerts.asked(made.request(), 0, "https://wiki/vllm"), made.edge(), made.outcomes(),
            made.holdMillis(), made.query(), made.validity());
    JsonNode other = new ObjectMapper().readTree(Dashboard.of(elsewhere));
    assertThat(other.at("/links/0/url").asText()).isEqualTo("https://wiki/vllm");
    assertThat(other.at("/panels/4/links/0/url").asText())
        .isEqualTo("https://wiki/vllm#vllmhighttft");
  }

  /** Grafana's variables stand in strings, but for the interval. */
  @Test
  @NeedsProgram("promtool")
  void promtoolParsesEveryExpression() throws Exception {
    StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
    List<String> expressions = expressions();
    for (int i = 0; i < expressions.size(); i++) {
      rules.append("  - record: panel:").append(i).append("\n    expr: ");
      rules.append("'" + expressions.get(i).replace("'", "''") + "'").append("\n");
    }
    Files.writeString(folder.resolve("dashboard.yaml"), rules);
    assertThat(Promtool.say(folder, "check", "rules", "dashboard.yaml"))
        .contains("SUCCESS: " + expressions.size() + " rules found");
    assertThat(expressions).hasSizeGreaterThan(30);
  }

  /** What {@code tally run --metrics-port} serves. */
  private static boolean isOurs(String metric) {
    return metric.equals("tally_requests_in_flight")
        || Stream.of(ClientMetric.values())
            .anyMatch(one -> metric.replace("_bucket", "").equals(one.text()));
  }

  @Test
  void persesShowsTheSamePanels() throws IOException {
    DerivedAlerts derived = MadeAlerts.withTarget(0.99, Objective.Metric.TTFT, 1);
    String text = PersesDashboard.of(derived);
    JsonNode board = new ObjectMapper().readTree(text);
    JsonNode panels = board.at("/spec/panels");
    List<String> asked = root.get("panels").findValuesAsText("expr");
    assertThat(panels.findValuesAsText("query")).isEqualTo(asked);
    List<String> titles = new ArrayList<>();
    Set<String> places = new HashSet<>();
    for (JsonNode item : board.at("/spec/layouts/0/spec/items")) {
      String path = item.at("/content/$ref").asText().substring(1);
      titles.add(board.at(path + "/spec/display/name").asText());
      assertThat(item.get("x").asInt() + item.get("width").asInt()).isLessThanOrEqualTo(24);
      assertThat(places.add(item.get("x") + "," + item.get("y"))).isTrue();
    }
    List<String> grafana = new ArrayList<>();
    root.get("panels").forEach(panel -> grafana.add(panel.get("title").asText()));
    assertThat(titles).isEqualTo(grafana);
    assertThat(panels.at("/p5/spec/plugin/spec/thresholds/steps/0/value").asDouble())
        .isEqualTo(0.75);
    int variables = 2;
    assertThat(LintFile.read("perses.json", text).rules()).hasSize(asked.size() + variables);
  }

  private static boolean isOffByDefault(String metric) {
    return MetricVocabulary.standard()
        .entryOf(metric)
        .filter(entry -> entry.note().contains("off by default"))
        .isPresent();
  }

  private List<String> expressions() {
    List<String> expressions = new ArrayList<>();
    for (JsonNode panel : root.get("panels")) {
      assertThat(panel.get("targets")).as(panel.get("title").asText()).isNotEmpty();
      for (JsonNode target : panel.get("targets")) {
        expressions.add(target.get("expr").asText().replace("$__rate_interval", "5m"));
      }
    }
    expressions.add(root.at("/annotations/list/0/expr").asText());
    return expressions;
  }
}
