package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.rules.RuleSet;

/**
 * Writes the panels of {@link Dashboard} for Perses: a {@code Dashboard} of its API v1, read from
 * the project's default Prometheus.
 */
public final class PersesDashboard {
  private static final int COLUMNS = 2; // panels side by side
  private static final int WIDTH = 12; // half of Perses' 24
  private static final int HEIGHT = 8; // as in Grafana

  private PersesDashboard() {}

  /** The dashboard as JSON for {@code percli apply}. */
  public static String of(DerivedAlerts derived) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("kind", "Dashboard");
    root.putObject("metadata").put("name", "tallystick-vllm").put("project", "default");
    ObjectNode spec = root.putObject("spec");
    spec.putObject("display")
        .put("name", "vLLM production")
        .put("description", "Thresholds valid for: " + derived.validity().text());
    spec.put("duration", "3h").put("refreshInterval", "30s");
    String running = Dashboard.running(derived);
    ArrayNode variables = spec.putArray("variables");
    variable(variables.addObject(), "cluster", "cluster", running);
    variable(variables.addObject(), "model", "model_name", running);
    List<BoardPanel> all = DashboardPanels.of(derived).all();
    ObjectNode panels = spec.putObject("panels");
    ObjectNode grid = spec.putArray("layouts").addObject().put("kind", "Grid").putObject("spec");
    ArrayNode items = grid.putArray("items");
    for (int i = 0; i < all.size(); i++) {
      String key = "p" + (i + 1);
      panel(panels.putObject(key), all.get(i), derived.request().runbookUrl());
      items.addObject()
          .put("x", i % COLUMNS * WIDTH)
          .put("y", i / COLUMNS * HEIGHT)
          .put("width", WIDTH)
          .put("height", HEIGHT)
          .putObject("content")
          .put("$ref", "#/spec/panels/" + key);
    }
    return root.toPrettyString() + "\n";
  }

  private static void variable(ObjectNode node, String name, String label, String running) {
    ObjectNode spec = node.put("kind", "ListVariable").putObject("spec");
    spec.put("name", name)
        .put("allowAllValue", true)
        .put("allowMultiple", true)
        // Also matches series without the label.
        .put("customAllValue", ".*")
        .put("defaultValue", "$__all");
    plugin(spec, "PrometheusLabelValuesVariable")
        .put("labelName", label)
        .putArray("matchers")
        .add(running);
  }

  private static void panel(ObjectNode node, BoardPanel panel, String runbook) {
    ObjectNode spec = node.put("kind", "Panel").putObject("spec");
    String entry = panel.alert().map(alert -> runbook + RuleSet.anchor(alert)).orElse("");
    spec.putObject("display")
        .put("name", panel.title())
        .put("description", panel.description(runbook));
    boolean isStat = panel.kind() == BoardPanel.Kind.STAT;
    ObjectNode chart = plugin(spec, isStat ? "StatChart" : "TimeSeriesChart");
    if (isStat) {
      chart.put("calculation", "last-number").putObject("format").put("unit", unit(panel));
    } else {
      chart.putObject("yAxis").putObject("format").put("unit", unit(panel));
      chart.putObject("legend").put("position", "bottom");
    }
    if (!panel.thresholds().isEmpty()) {
      thresholds(chart.putObject("thresholds"), panel, isStat);
    }
    ArrayNode queries = spec.putArray("queries");
    for (BoardPanel.Query query : panel.queries()) {
      ObjectNode one = queries.addObject().put("kind", "TimeSeriesQuery").putObject("spec");
      plugin(one, "PrometheusTimeSeriesQuery")
          .put("query", query.expression())
          .put("seriesNameFormat", query.legend());
    }
    if (Dashboard.isWeb(entry)) {
      spec.putArray("links").addObject().put("name", "Runbook").put("url", entry)
          .put("targetBlank", true);
    }
  }

  private static ObjectNode plugin(ObjectNode around, String kind) {
    return around.putObject("plugin").put("kind", kind).putObject("spec");
  }

  /** A line at each threshold; above it is bad, for a number that is left over it is good. */
  private static void thresholds(ObjectNode node, BoardPanel panel, boolean isGoodAbove) {
    node.put("mode", "absolute").put("defaultColor", isGoodAbove ? "red" : "green");
    ArrayNode steps = node.putArray("steps");
    for (double threshold : panel.thresholds()) {
      steps.addObject().put("color", isGoodAbove ? "green" : "red").put("value", threshold);
    }
  }

  /** Perses' name of a unit that {@link BoardPanel} has by Grafana's. */
  private static String unit(BoardPanel panel) {
    return switch (panel.unit()) {
      case "s" -> "seconds";
      case "percentunit" -> "percent-decimal";
      case "reqps" -> "requests/sec";
      default -> "decimal";
    };
  }
}
