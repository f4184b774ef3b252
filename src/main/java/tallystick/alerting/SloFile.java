package tallystick.alerting;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.alerting.YamlNode.Mapping;
import tallystick.alerting.YamlNode.Scalar;
import tallystick.alerting.YamlNode.Sequence;
import tallystick.scenario.Objective;

/** Objectives in a file, written as in a scenario: {@code [{ttft: 1s, share: 0.99}]}. */
public final class SloFile {
  private static final Pattern DURATION = Pattern.compile("([0-9.]+)\\s*(ms|s)");
  private static final String EXAMPLE = "; write for example objectives: [{ttft: 1s, share: 0.99}]";

  private SloFile() {}

  /**
   * The objectives of a file.
   *
   * @param file the name to use in messages
   * @throws RuleFileException with file and line, if there are none or one cannot be read
   */
  public static List<Objective> read(String file, String text) {
    List<Objective> objectives = new ArrayList<>();
    for (YamlNode document : YamlNode.read(file, text)) {
      if (!(document instanceof Mapping root)
          || !(root.entries().get("objectives") instanceof Sequence list)) {
        throw new RuleFileException(file, document.line(), "has no list objectives" + EXAMPLE);
      }
      list.items().forEach(item -> objectives.add(objective(file, item)));
    }
    if (objectives.isEmpty()) {
      throw new RuleFileException(file, 1, "has no objective" + EXAMPLE);
    }
    return objectives;
  }

  private static Objective objective(String file, YamlNode item) {
    if (!(item instanceof Mapping mapping)) {
      throw new RuleFileException(
          file, item.line(), "an objective is a metric and a share" + EXAMPLE);
    }
    double share = Double.NaN;
    Objective.Metric metric = null;
    double seconds = Double.NaN;
    for (Map.Entry<String, YamlNode> entry : mapping.entries().entrySet()) {
      String value = entry.getValue() instanceof Scalar scalar ? scalar.text() : "";
      if (entry.getKey().equals("share")) {
        share = number(file, entry.getValue().line(), value);
      } else {
        metric = metric(file, entry.getValue().line(), entry.getKey());
        seconds = seconds(file, entry.getValue().line(), value);
      }
    }
    if (metric == null || Double.isNaN(share)) {
      throw new RuleFileException(file, item.line(), "lacks its metric or its share" + EXAMPLE);
    }
    try {
      return new Objective(metric, seconds, share, "");
    } catch (IllegalArgumentException e) {
      throw new RuleFileException(file, item.line(), e.getMessage());
    }
  }

  private static Objective.Metric metric(String file, int line, String word) {
    try {
      return Objective.Metric.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new RuleFileException(file, line, "no metric: " + word + EXAMPLE);
    }
  }

  private static double seconds(String file, int line, String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new RuleFileException(file, line, "no duration in s or ms: " + text);
    }
    double value = number(file, line, matcher.group(1));
    return matcher.group(2).equals("ms") ? value / 1000 : value;
  }

  private static double number(String file, int line, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new RuleFileException(file, line, "no number: " + text);
    }
  }
}
