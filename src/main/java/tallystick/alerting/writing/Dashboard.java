package tallystick.alerting.writing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;
import tallystick.alerting.derivation.DerivedAlerts;

/** Writes a Grafana dashboard with the derived thresholds drawn in. */
public final class Dashboard {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int COLUMNS = 2;
  private static final int WIDTH = 12;
  private static final int HEIGHT = 8;
  private static final int SCHEMA = 39;

  private Dashboard() {}

  /** The dashboard as JSON to import. */
  public static String of(DerivedAlerts derived) {
    ObjectNode root = JSON.createObjectNode();
    root.put("title", "vLLM production");
    root.put("uid", "tallystick-vllm");
    root.put("description", "Thresholds valid for: " + derived.validity().text());
    root.put("schemaVersion", SCHEMA);
    root.put("refresh", "30s");
    root.putObject("time").put("from", "now-3h").put("to", "now");
    variables(root.putObject("templating").putArray("list"), derived);
    ArrayNode panels = root.putArray("panels");
    List<DashboardPanels.Panel> all = new DashboardPanels(derived).all();
    for (int i = 0; i < all.size(); i++) {
      panel(panels.addObject(), all.get(i), i);
    }
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void variables(ArrayNode list, DerivedAlerts derived) {
    list.addObject()
        .put("name", "datasource")
        .put("type", "datasource")
        .put("query", "prometheus");
    String running =
        derived
            .query()
            .names()
            .family(derived.query().latency())
            .map(family -> family + "_count")
            .orElse("up");
    variable(list, "cluster", "label_values(" + running + ", cluster)");
    variable(list, "model", "label_values(" + running + ", model_name)");
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

  private static void panel(ObjectNode node, DashboardPanels.Panel panel, int index) {
    node.put("id", index + 1).put("type", "timeseries").put("title", panel.title());
    source(node.putObject("datasource"));
    node.putObject("gridPos")
        .put("x", index % COLUMNS * WIDTH)
        .put("y", index / COLUMNS * HEIGHT)
        .put("w", WIDTH)
        .put("h", HEIGHT);
    ObjectNode config = node.putObject("fieldConfig");
    ObjectNode defaults = config.putObject("defaults").put("unit", panel.unit());
    ObjectNode thresholds = defaults.putObject("thresholds").put("mode", "absolute");
    ArrayNode steps = thresholds.putArray("steps");
    steps.addObject().put("color", "green").putNull("value");
    panel.threshold().ifPresent(v -> steps.addObject().put("color", "red").put("value", v));
    defaults
        .putObject("custom")
        .putObject("thresholdsStyle")
        .put("mode", panel.threshold().isPresent() ? "line" : "off");
    ArrayNode overrides = config.putArray("overrides");
    ArrayNode targets = node.putArray("targets");
    for (int i = 0; i < panel.queries().size(); i++) {
      DashboardPanels.Query query = panel.queries().get(i);
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
