package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import tallystick.alerting.derivation.DerivedAlerts;

/**
 * Writes the panels of {@link Dashboard} for Perses: a {@code Dashboard} of its API v1, read from
 * the project's default Prometheus.
 */
public final class PersesDashboard {
  private PersesDashboard() {}

  /** The dashboard as JSON for {@code percli apply}. */
  public static String of(DerivedAlerts derived) {
    ObjectNode root = BoardForm.read("perses.json", derived);
    root.withObject("/spec/display")
        .put("description", "Thresholds valid for: " + derived.validity().text());
    List<BoardPanel> all = DashboardPanels.of(derived).all();
    ObjectNode panels = root.withObject("/spec/panels");
    ObjectNode form = (ObjectNode) panels.remove("p1");
    for (BoardPanel panel : all) {
      ObjectNode node = panels.putObject("p" + (panels.size() + 1)).setAll(form.deepCopy());
      panel(node.withObject("/spec"), panel, derived.request().runbookUrl());
    }
    BoardForm.fill(
        root.at("/spec/layouts/0/spec/items"),
        all.size(),
        (item, i) -> {
          BoardForm.place(item, i);
          item.withObject("/content").put("$ref", "#/spec/panels/p" + (i + 1));
        });
    return root.toPrettyString() + "\n";
  }

  private static void panel(ObjectNode spec, BoardPanel panel, String runbook) {
    spec.withObject("/display")
        .put("name", panel.title())
        .put("description", panel.description(runbook));
    spec.withObject("/plugin").put("kind", panel.isNumber() ? "StatChart" : "TimeSeriesChart");
    ObjectNode chart = spec.withObject("/plugin/spec");
    if (panel.isNumber()) {
      chart.put("calculation", "last-number").putObject("format").put("unit", unit(panel));
    } else {
      chart.putObject("yAxis").putObject("format").put("unit", unit(panel));
      chart.putObject("legend").put("position", "bottom");
    }
    if (!panel.thresholds().isEmpty()) {
      ObjectNode thresholds = chart.putObject("thresholds").put("mode", "absolute");
      thresholds.put("defaultColor", BoardForm.color(panel, false));
      BoardForm.addThresholds(thresholds.putArray("steps"), panel);
    }
    BoardForm.fill(
        spec.get("queries"),
        panel.queries().size(),
        (query, i) ->
            query
                .withObject("/spec/plugin/spec")
                .put("query", panel.queries().get(i).expression())
                .put("seriesNameFormat", panel.queries().get(i).legend()));
    if (!BoardForm.hasLink(spec, panel.entry(runbook))) {
      spec.remove("links");
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
