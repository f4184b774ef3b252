package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.rules.RuleSet;
import tallystick.promql.PromTime;

/** Writes rule sets as files that Prometheus and its operator read. */
public final class RuleSetText {
  private RuleSetText() {}

  /** A rule file for Prometheus 2.42 and 3.x. */
  public static String prometheus(RuleSet set) {
    YamlText text = head(set).key("", "groups:");
    group(text, set, "");
    return text.toString();
  }

  /** A Kubernetes {@code PrometheusRule}. */
  public static String kubernetes(RuleSet set) {
    ObjectNode resource = YamlText.keys();
    resource.put("apiVersion", "monitoring.coreos.com/v1").put("kind", "PrometheusRule");
    ObjectNode metadata = resource.putObject("metadata").put("name", "vllm-slo");
    metadata.putObject("labels").put("app.kubernetes.io/name", "vllm");
    YamlText text = head(set).data("", resource).key("", "spec:").key("", "  groups:");
    group(text, set, "  ");
    return text.toString();
  }

  private static YamlText head(RuleSet set) {
    YamlText text = new YamlText();
    set.header().forEach(line -> text.comment("", line));
    for (RefusedAlert refused : set.refusals()) {
      text.comment("", "refused: " + refused.alertName() + " (" + refused.watches() + ")");
      text.comment("", "  " + refused.code().code() + ": " + refused.missing());
    }
    return text;
  }

  private static void group(YamlText text, RuleSet set, String indent) {
    ObjectNode group = YamlText.keys().put("name", set.group());
    text.item(indent, group.put("interval", PromTime.text(set.intervalMillis())));
    text.key(indent, "  rules:" + (set.rules().isEmpty() ? " []" : ""));
    for (RuleSet.Rule rule : set.rules()) {
      rule.evidence().forEach(line -> text.comment(indent + "  ", line));
      text.item(indent + "  ", keys(rule));
    }
  }

  private static ObjectNode keys(RuleSet.Rule rule) {
    ObjectNode keys = YamlText.keys().put(rule.alert() ? "alert" : "record", rule.name());
    keys.put("expr", rule.expression());
    duration(keys, "for", rule.holdMillis());
    duration(keys, "keep_firing_for", rule.keepMillis());
    texts(keys, "labels", rule.labels());
    texts(keys, "annotations", rule.annotations());
    return keys;
  }

  private static void duration(ObjectNode keys, String key, long millis) {
    if (millis > 0) {
      keys.put(key, PromTime.text(millis));
    }
  }

  private static void texts(ObjectNode keys, String key, Map<String, String> texts) {
    if (!texts.isEmpty()) {
      ObjectNode inner = keys.putObject(key);
      texts.forEach((name, text) -> inner.put(name, text.replaceAll("\\R", " ")));
    }
  }
}
