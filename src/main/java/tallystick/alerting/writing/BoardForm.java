package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.ObjIntConsumer;
import tallystick.alerting.AlertForms;
import tallystick.alerting.derivation.DerivedAlerts;

/** A dashboard to fill in: of what it has several of, the resource has one with empty values. */
final class BoardForm {
  private static final int COLUMNS = 2; // panels side by side
  private static final int WIDTH = 12; // half of both products' 24
  private static final int HEIGHT = 8; // Grafana's usual height

  private BoardForm() {}

  /** Reads a form; where it says RUNNING, a series that every engine has is put. */
  static ObjectNode read(String resource, DerivedAlerts derived) {
    String running =
        derived
            .query()
            .names()
            .family(derived.query().latency())
            .map(family -> family + "_count")
            .orElse("up");
    return (ObjectNode) AlertForms.data(AlertForms.text(resource).replace("RUNNING", running));
  }

  /** Puts as many copies of the list's one form in its place, each filled in. */
  static void fill(JsonNode list, int count, ObjIntConsumer<ObjectNode> filling) {
    ArrayNode items = (ArrayNode) list;
    JsonNode form = items.remove(0);
    for (int i = 0; i < count; i++) {
      filling.accept(items.addObject().setAll((ObjectNode) form.deepCopy()), i);
    }
  }

  /** Puts the panel of this index where it stands in the grid. */
  static void place(ObjectNode node, int index) {
    node.put("x", index % COLUMNS * WIDTH).put("y", index / COLUMNS * HEIGHT);
  }

  /** A line at each threshold; above it is bad, for a number that is left over it is good. */
  static void addThresholds(JsonNode steps, BoardPanel panel) {
    for (double threshold : panel.thresholds()) {
      ((ArrayNode) steps).addObject().put("color", color(panel, true)).put("value", threshold);
    }
  }

  static String color(BoardPanel panel, boolean isAbove) {
    return isAbove == panel.isNumber() ? "green" : "red";
  }

  /** Fills in the link to the runbook; a path in a repository is none that a page could follow. */
  static boolean hasLink(ObjectNode node, String address) {
    boolean isWeb = address.matches("https?://.*");
    if (isWeb) {
      ((ObjectNode) node.get("links").get(0)).put("url", address);
    }
    return isWeb;
  }
}
