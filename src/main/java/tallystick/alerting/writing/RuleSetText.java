package tallystick.alerting.writing;

import java.util.Locale;
import java.util.Map;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.rules.RuleSet;
import tallystick.promql.Durations;
import tallystick.scenario.PlainText;

/** Writes rule sets as files that Prometheus and its operator read. */
public final class RuleSetText {
  private RuleSetText() {}

  /** A rule file for Prometheus 2.42 and 3.x. */
  public static String prometheus(RuleSet set) {
    return head(set) + "groups:\n" + group(set, "");
  }

  /** A Kubernetes {@code PrometheusRule}. */
  public static String kubernetes(RuleSet set) {
    return head(set)
        + """
        apiVersion: monitoring.coreos.com/v1
        kind: PrometheusRule
        metadata:
          name: vllm-slo
          labels:
            app.kubernetes.io/name: vllm
        spec:
          groups:
        """
        + group(set, "  ");
  }

  private static String head(RuleSet set) {
    StringBuilder text = new StringBuilder();
    set.header().forEach(line -> comment(text, "", line));
    for (RefusedAlert refused : set.refusals()) {
      comment(text, "", "refused: " + refused.alertName() + " (" + refused.watches() + ")");
      comment(text, "", "  " + refused.code().word() + ": " + refused.missing());
    }
    return text.toString();
  }

  private static String group(RuleSet set, String indent) {
    StringBuilder text = new StringBuilder();
    text.append(indent).append("- name: ").append(set.group()).append("\n");
    text.append(indent)
        .append("  interval: ")
        .append(Durations.text(set.intervalMillis()))
        .append("\n");
    text.append(indent).append("  rules:").append(set.rules().isEmpty() ? " []" : "").append("\n");
    set.rules().forEach(rule -> rule(text, indent + "  ", rule));
    return text.toString();
  }

  private static void rule(StringBuilder text, String indent, RuleSet.Rule rule) {
    rule.evidence().forEach(line -> comment(text, indent, line));
    text.append(indent)
        .append(rule.alert() ? "- alert: " : "- record: ")
        .append(rule.name())
        .append("\n");
    if (!PlainText.printable(rule.expression()).equals(rule.expression())) {
      text.append(indent).append("  expr: ").append(quoted(rule.expression())).append("\n");
    } else {
      text.append(indent).append("  expr: |-\n");
      rule.expression()
          .lines()
          .forEach(line -> text.append(indent).append("    ").append(line).append("\n"));
    }
    duration(text, indent + "  for: ", rule.holdMillis());
    duration(text, indent + "  keep_firing_for: ", rule.keepMillis());
    entries(text, indent + "  ", "labels", rule.labels());
    entries(text, indent + "  ", "annotations", rule.annotations());
  }

  private static void duration(StringBuilder text, String key, long millis) {
    if (millis > 0) {
      text.append(key).append(Durations.text(millis)).append("\n");
    }
  }

  private static void entries(
      StringBuilder text, String indent, String key, Map<String, String> entries) {
    if (entries.isEmpty()) {
      return;
    }
    text.append(indent).append(key).append(":\n");
    entries.forEach(
        (name, value) ->
            text.append(indent)
                .append("  ")
                .append(name)
                .append(": ")
                .append(quoted(value))
                .append("\n"));
  }

  /** A quoted YAML scalar on one line; single quotes where nothing in it needs an escape. */
  static String quoted(String text) {
    String line = text.replaceAll("\\R", " ");
    return PlainText.printable(line).equals(line)
        ? "'" + line.replace("'", "''") + "'"
        : escaped(line);
  }

  private static String escaped(String line) {
    StringBuilder quoted = new StringBuilder("\"");
    line.codePoints()
        .forEach(
            letter -> {
              if (letter == '"' || letter == '\\') {
                quoted.append('\\').appendCodePoint(letter);
              } else if (PlainText.isPrintable(letter)) {
                quoted.appendCodePoint(letter);
              } else {
                quoted.append(String.format(Locale.ROOT, "\\U%08x", letter));
              }
            });
    return quoted.append('"').toString();
  }

  /** A line break in a name would end the comment. */
  static void comment(StringBuilder text, String indent, String line) {
    String plain = PlainText.printable(line.replaceAll("\\R", " "));
    text.append(indent).append("# ").append(plain).append("\n");
  }
}
