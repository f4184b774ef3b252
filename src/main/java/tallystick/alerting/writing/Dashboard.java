package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.rules.RuleSet;

/** Writes a Grafana dashboard with the derived thresholds drawn in. */
public final class Dashboard {
  private static final int COLUMNS = 2; // panels side by side
  private static final int WIDTH = 12; // half of Grafana's 24
  private static final int HEIGHT = 8; // Grafana's usual height
  private static final int SCHEMA = 39; // Grafana's, of the file

  private Dashboard() {}

  /** The dashboard as JSON to import. */
  public static String of(DerivedAlerts derived) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("title", "vLLM production");
    root.put("uid", "tallystick-vllm");
    root.put("description", "Thresholds valid for: " + derived.validity().text());
    root.put("schemaVersion", SCHEMA);
    root.put("refresh", "30s");
    root.putObject("time").put("from", "now-3h").put("to", "now");
    variables(root.putObject("templating").putArray("list"), derived);
    annotations(root.putObject("annotations").putArray("list"));
    String runbook = derived.request().runbookUrl();
    ArrayNode links = root.putArray("links");
    if (isWeb(runbook)) {
      link(links.addObject(), "Runbook", runbook);
    }
    ArrayNode panels = root.putArray("panels");
    List<BoardPanel> all = DashboardPanels.of(derived).all();
    for (int i = 0; i < all.size(); i++) {
      panel(panels.addObject(), all.get(i), i, runbook);
    }
    return root.toPrettyString() + "\n";
  }

  private static void variables(ArrayNode list, DerivedAlerts derived) {
    list.addObject()
        .put("name", "datasource")
        .put("type", "datasource")
        .put("query", "prometheus");
    String running = running(derived);
    variable(list, "cluster", "label_values(" + running + ", cluster)");
    variable(list, "model", "label_values(" + running + ", model_name)");
  }

  /** A series that every engine has. */
  static String running(DerivedAlerts derived) {
    return derived
        .query()
        .names()
        .family(derived.query().latency())
        .map(family -> family + "_count")
        .orElse("up");
  }

  private static void variable(ArrayNode list, String name, String query) {
    ObjectNode variable = list.addObject();
    variable
        .put("name", name)
        .put("type", "query")
        .put("query", query)
        .put("refresh", 2)
        .put("includeAll", true)
        .put("multi", true)
        // Also matches series without the label.
        .put("allValue", ".*");
    source(variable.putObject("datasource"));
  }

  /** When our alerts fired, drawn over every panel. */
  private static void annotations(ArrayNode list) {
    ObjectNode fired = list.addObject();
    fired
        .put("name", "Alerts")
        .put("enable", true)
        .put("iconColor", "red")
        // An alert on a target that is gone has no model.
        .put("expr", "ALERTS{alertname=~\"VLLM.*\",alertstate=\"firing\",model_name=~\"$model|\"}")
        .put("step", "30s")
        .put("titleFormat", "{{alertname}}")
        .put("textFormat", "{{severity}} {{model_name}} {{instance}}")
        .put("tagKeys", "severity");
    source(fired.putObject("datasource"));
  }

  /** A path in a repository is none that a browser on Grafana's page could follow. */
  static boolean isWeb(String address) {
    return address.matches("https?://.*");
  }

  private static void link(ObjectNode link, String title, String address) {
    link.put("title", title).put("url", address).put("targetBlank", true);
    link.put("type", "link").put("icon", "doc");
  }

  private static void panel(ObjectNode node, BoardPanel panel, int index, String runbook) {
    boolean isStat = panel.kind() == BoardPanel.Kind.STAT;
    node.put("id", index + 1)
        .put("type", isStat ? "stat" : "timeseries")
        .put("title", panel.title());
    source(node.putObject("datasource"));
    node.putObject("gridPos")
        .put("x", index % COLUMNS * WIDTH)
        .put("y", index / COLUMNS * HEIGHT)
        .put("w", WIDTH)
        .put("h", HEIGHT);
    describe(node, panel, runbook);
    if (isStat) {
      ObjectNode reduced = node.putObject("options").putObject("reduceOptions");
      reduced.putArray("calcs").add("lastNotNull");
    }
    ObjectNode config = node.putObject("fieldConfig");
    thresholds(config.putObject("defaults").put("unit", panel.unit()), panel, isStat);
    ArrayNode overrides = config.putArray("overrides");
    ArrayNode targets = node.putArray("targets");
    for (int i = 0; i < panel.queries().size(); i++) {
      BoardPanel.Query query = panel.queries().get(i);
      String letter = String.valueOf((char) ('A' + i));
      ObjectNode target = targets.addObject();
      source(target.putObject("datasource"));
      target
          .put("refId", letter)
          .put("expr", query.expression())
          .put("legendFormat", query.legend());
      if (query.countAxis()) {
        onTheRight(overrides.addObject(), letter);
      }
    }
  }

  private static void describe(ObjectNode node, BoardPanel panel, String runbook) {
    String entry = panel.alert().map(alert -> runbook + RuleSet.anchor(alert)).orElse("");
    node.put("description", panel.description(runbook));
    if (isWeb(entry)) {
      link(node.putArray("links").addObject(), "Runbook", entry);
    }
  }

  /** A line at each threshold; above it is bad, for a number that is left over it is good. */
  private static void thresholds(ObjectNode defaults, BoardPanel panel, boolean isGoodAbove) {
    ArrayNode steps =
        defaults.putObject("thresholds").put("mode", "absolute").putArray("steps");
    steps.addObject().put("color", isGoodAbove ? "red" : "green").putNull("value");
    for (double threshold : panel.thresholds()) {
      steps.addObject().put("color", isGoodAbove ? "green" : "red").put("value", threshold);
    }
    defaults
        .putObject("custom")
        .putObject("thresholdsStyle")
        .put("mode", panel.thresholds().isEmpty() || isGoodAbove ? "off" : "line");
  }

  private static void onTheRight(ObjectNode override, String letter) {
    override.putObject("matcher").put("id", "byFrameRefID").put("options", letter);
    ArrayNode properties = override.putArray("properties");
    properties.addObject().put("id", "unit").put("value", "short");
    properties.addObject().put("id", "custom.axisPlacement").put("value", "right");
  }

  private static void source(ObjectNode node) {
    node.put("type", "prometheus").put("uid", "${datasource}");
  }
}
