package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleFileException;
import tallystick.alerting.YamlNode;
import tallystick.alerting.YamlNode.Mapping;
import tallystick.alerting.YamlReader;

/** Reads what lint takes: rules, dashboards, and alerts that Grafana manages, told by content. */
public final class LintFile {
  private LintFile() {}

  /**
   * Reads a file. An expression that cannot be read is kept with its fault.
   *
   * @param file the name to use in messages
   * @throws RuleFileException if it is none of these, with the line
   */
  public static RuleFile read(String file, String text) {
    DashboardReader dashboards = new DashboardReader(file, text);
    List<YamlNode> documents = YamlReader.read(file, text);
    List<YamlNode> rest = new ArrayList<>();
    for (YamlNode document : documents) {
      if (!dashboards.read(document)) {
        rest.add(document);
      }
    }
    if (rest.size() == documents.size()) {
      return rules(file, rest);
    }
    // What is deployed together may stand in one file: services, rules and dashboards.
    rest.removeIf(document -> !hasGroups(document));
    return dashboards.found(rest.isEmpty() ? List.of() : rules(file, rest).groups());
  }

  private static RuleFile rules(String file, List<YamlNode> documents) {
    for (YamlNode document : documents) {
      if (document instanceof Mapping map && !map.entries().isEmpty() && !hasGroups(document)) {
        throw new RuleFileException(
            file, document.line(), "has no key groups, as rules have, and no panels with queries,"
                + " as dashboards have");
      }
    }
    return RuleFile.of(file, documents);
  }

  private static boolean hasGroups(YamlNode document) {
    return document instanceof Mapping map
        && (map.get("groups").isPresent()
            || map.mapping("spec").flatMap(spec -> spec.get("groups")).isPresent());
  }
}
