package tallystick.alerting.lint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.UnaryOperator;
import tallystick.alerting.lint.LintFinding.Severity;
import tallystick.scenario.Counted;

/** Findings as text, JSON or SARIF 2.1.0. */
public final class LintReport {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SARIF_SCHEMA =
      "https://json.schemastore.org/sarif-2.1.0.json";

  private LintReport() {}

  /** One paragraph for each finding, and a last line that counts them. */
  public static String text(List<LintFinding> findings) {
    StringBuilder text = new StringBuilder();
    for (LintFinding each : findings) {
      text.append(
          "%s:%s: %s: %s%s: %s%n"
              .formatted(
                  each.file(),
                  each.line(),
                  level(each.severity()),
                  each.rule().isEmpty() ? "" : each.rule() + ": ",
                  each.defect().word(),
                  each.why()));
      if (!each.corrected().isEmpty()) {
        text.append("    write: ").append(each.corrected().strip()).append("\n");
      }
    }
    return text.append(summary(findings)).append("\n").toString();
  }

  /** How many of each severity, for example {@code 1 error, 2 warnings, 0 notes}. */
  public static String summary(List<LintFinding> findings) {
    return count(findings, Severity.ERROR, "error")
        + ", "
        + count(findings, Severity.WARNING, "warning")
        + ", "
        + count(findings, Severity.NOTE, "note");
  }

  private static String count(List<LintFinding> findings, Severity severity, String word) {
    long count = findings.stream().filter(each -> each.severity() == severity).count();
    return Counted.of(count, word, word + "s");
  }

  /** An object with the list {@code findings}. */
  public static String json(List<LintFinding> findings) {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode list = root.putArray("findings");
    for (LintFinding each : findings) {
      list.addObject()
          .put("defect", each.defect().word())
          .put("severity", level(each.severity()))
          .put("file", each.file())
          .put("line", each.line())
          .put("rule", each.rule())
          .put("why", each.why())
          .put("corrected", each.corrected());
    }
    return written(root);
  }

  /**
   * SARIF 2.1.0 for code review tools.
   *
   * @param uri a file's name as these tools want it: a path from the root of its repository
   */
  public static String sarif(List<LintFinding> findings, UnaryOperator<String> uri) {
    ObjectNode root = JSON.createObjectNode();
    root.put("$schema", SARIF_SCHEMA).put("version", "2.1.0");
    ObjectNode run = root.putArray("runs").addObject();
    ObjectNode driver = run.putObject("tool").putObject("driver");
    driver.put("name", "tally lint");
    ArrayNode rules = driver.putArray("rules");
    for (Defect defect : Defect.values()) {
      rules
          .addObject()
          .put("id", defect.word())
          .putObject("shortDescription")
          .put("text", defect.title());
    }
    ArrayNode results = run.putArray("results");
    for (LintFinding each : findings) {
      ObjectNode result = results.addObject();
      result.put("ruleId", each.defect().word());
      result.put("ruleIndex", each.defect().ordinal());
      result.put("level", level(each.severity()));
      result.putObject("message").put("text", message(each));
      ObjectNode place = result.putArray("locations").addObject().putObject("physicalLocation");
      artifact(place.putObject("artifactLocation"), uri.apply(each.file()));
      place.putObject("region").put("startLine", Math.max(1, each.line()));
    }
    return written(root);
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
        : finding.why() + " Write: " + finding.corrected();
  }

  private static String level(Severity severity) {
    return switch (severity) {
      case ERROR -> "error";
      case WARNING -> "warning";
      case NOTE -> "note";
    };
  }

  private static String written(ObjectNode root) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
