package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import tallystick.alerting.derivation.DerivedAlerts;

/** Writes a Grafana dashboard with the derived thresholds drawn in. */
public final class Dashboard {
  private Dashboard() {}

  /** The dashboard as JSON to import. */
  public static String of(DerivedAlerts derived) {
    ObjectNode root = BoardForm.read("grafana.json", derived);
    root.put("description", "Thresholds valid for: " + derived.validity().text());
    String runbook = derived.request().runbookUrl();
    if (!BoardForm.hasLink(root, runbook)) {
      root.putArray("links");
    }
    List<BoardPanel> all = DashboardPanels.of(derived).all();
    BoardForm.fill(
        root.get("panels"), all.size(), (node, i) -> panel(node, all.get(i), i, runbook));
    return root.toPrettyString() + "\n";
  }

  private static void panel(ObjectNode node, BoardPanel panel, int index, String runbook) {
    node.put("id", index + 1)
        .put("type", panel.isNumber() ? "stat" : "timeseries")
        .put("title", panel.title())
        .put("description", panel.description(runbook));
    BoardForm.place(node.withObject("/gridPos"), index);
    if (!BoardForm.hasLink(node, panel.entry(runbook))) {
      node.remove("links");
    }
    if (!panel.isNumber()) {
      node.remove("options");
    }
    ObjectNode defaults = node.withObject("/fieldConfig/defaults").put("unit", panel.unit());
    defaults.withObject("/thresholds/steps/0").put("color", BoardForm.color(panel, false));
    BoardForm.addThresholds(defaults.at("/thresholds/steps"), panel);
    defaults
        .withObject("/custom/thresholdsStyle")
        .put("mode", panel.thresholds().isEmpty() || panel.isNumber() ? "off" : "line");
    List<BoardPanel.Query> queries = panel.queries();
    BoardForm.fill(
        node.get("targets"),
        queries.size(),
        (target, i) ->
            target
                .put("refId", letter(i))
                .put("expr", queries.get(i).expression())
                .put("legendFormat", queries.get(i).legend()));
    List<BoardPanel.Query> right =
        queries.stream().filter(BoardPanel.Query::countAxis).toList();
    BoardForm.fill(
        node.at("/fieldConfig/overrides"),
        right.size(),
        (override, i) ->
            override
                .withObject("/matcher")
                .put("options", letter(queries.indexOf(right.get(i)))));
  }

  private static String letter(int query) {
    return String.valueOf((char) ('A' + query));
  }
}
