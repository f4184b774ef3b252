package tallystick.alerting.lint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.UnaryOperator;

/** Findings as SARIF 2.1.0, the format of code review tools. */
public final class Sarif {
  private static final String SARIF_SCHEMA =
      "https://json.schemastore.org/sarif-2.1.0.json";

  private Sarif() {}

  /**
   * The document.
   *
   * @param uri a file's name as these tools want it: a path from the root of its repository
   */
  public static String of(List<LintFinding> findings, UnaryOperator<String> uri) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("$schema", SARIF_SCHEMA).put("version", "2.1.0");
    ObjectNode run = root.putArray("runs").addObject();
    ObjectNode driver = run.putObject("tool").putObject("driver");
    driver.put("name", "tally lint");
    ArrayNode rules = driver.putArray("rules");
    for (Defect defect : Defect.values()) {
      rules
          .addObject()
          .put("id", defect.code())
          .putObject("shortDescription")
          .put("text", defect.title());
    }
    ArrayNode results = run.putArray("results");
    for (LintFinding each : findings) {
      ObjectNode result = results.addObject();
      result.put("ruleId", each.defect().code());
      result.put("ruleIndex", each.defect().ordinal());
      result.put("level", each.severity().code());
      result.putObject("message").put("text", message(each));
      ObjectNode location = result.putArray("locations").addObject();
      if (!each.rule().isEmpty()) {
        location.putArray("logicalLocations").addObject().put("fullyQualifiedName", each.rule());
      }
      ObjectNode place = location.putObject("physicalLocation");
      artifact(place.putObject("artifactLocation"), uri.apply(each.file()));
      place.putObject("region").put("startLine", Math.max(1, each.line()));
    }
    return root.toPrettyString() + "\n";
  }

  private static void artifact(ObjectNode place, String uri) {
    place.put("uri", uri);
    if (!uri.startsWith("file:")) {
      place.put("uriBaseId", "%SRCROOT%");
    }
  }

  private static String message(LintFinding finding) {
    return finding.corrected().isEmpty()
        ? finding.why()
        : finding.why() + ". Write: " + finding.corrected();
  }
}
