package tallystick.alerting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import tallystick.promql.Expression;
import tallystick.promql.LabelMatcher;
import tallystick.promql.Labels;
import tallystick.promql.PromTime;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.PromqlEvaluator;
import tallystick.promql.PromqlParser;
import tallystick.promql.RuleGroup;
import tallystick.promql.RuleReplay;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;
import tallystick.promql.Value;

/** Runs a file of {@code promtool test rules} through our own evaluation instead of promtool's. */
public final class PromtoolFile {
  private static final double TOLERANCE = 1e-9;

  private final JsonNode root;
  private final List<RuleGroup> groups;
  private final PrometheusVersion version;
  private final List<String> failures = new ArrayList<>();
  private int checked;

  /** A test file to run with these rules. */
  public PromtoolFile(String text, List<RuleGroup> groups, PrometheusVersion version) {
    this.groups = groups;
    this.version = version;
    try {
      // Jackson cannot read YAML's words for the infinities.
      this.root =
          new YAMLMapper()
              .readTree(text.replaceAll(": (-?)\\.inf", ": '$1Inf'"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    resolve(this.root.get("tests"));
  }

  /** Jackson reads a YAML alias as its name; the first test has the anchor. */
  private static void resolve(JsonNode tests) {
    JsonNode first = tests.get(0).get("input_series");
    for (JsonNode test : tests) {
      if (test.get("input_series").isTextual()) {
        ((ObjectNode) test).set("input_series", first);
      }
    }
  }

  /** Every expectation that does not hold. */
  public List<String> failures() {
    long evaluation = millis(root.get("evaluation_interval"));
    for (JsonNode test : root.get("tests")) {
      run(test, evaluation);
    }
    return failures;
  }

  /** Expectations looked at. */
  public int checked() {
    return checked;
  }

  private void run(JsonNode test, long evaluation) {
    SeriesStore store = new SeriesStore();
    long step = millis(test.get("interval"));
    test.get("input_series")
        .forEach(
            series ->
                append(store, series.get("series").asText(), series.get("values").asText(), step));
    long end = 0;
    for (String kind : List.of("promql_expr_test", "alert_rule_test")) {
      for (JsonNode each : test.path(kind)) {
        end = Math.max(end, millis(each.get("eval_time")));
      }
    }
    new RuleReplay(store, version, groups).run(0, end, evaluation);
    test.path("promql_expr_test").forEach(each -> check(store, each));
    test.path("alert_rule_test").forEach(each -> checkAlert(store, each));
  }

  /** As many alerts must fire as are expected; their labels are not compared here. */
  private void checkAlert(SeriesStore store, JsonNode each) {
    checked++;
    String text =
        "ALERTS{alertname=\"%s\",alertstate=\"firing\"}".formatted(each.get("alertname").asText());
    int firing =
        new PromqlEvaluator(store, version)
            .vector(PromqlParser.parse(text), millis(each.get("eval_time")))
            .elements()
            .size();
    if (firing != each.path("exp_alerts").size()) {
      failures.add(text + " at " + each.get("eval_time") + ": " + firing + " fire, not "
          + each.path("exp_alerts").size());
    }
  }

  private void check(SeriesStore store, JsonNode each) {
    checked++;
    String text = each.get("expr").asText();
    Value value =
        new PromqlEvaluator(store, version)
            .evaluate(PromqlParser.parse(text), millis(each.get("eval_time")));
    List<Value.Element> actual =
        value instanceof Value.Scalar scalar
            ? List.of(new Value.Element(Labels.EMPTY, scalar.value()))
            : ((Value.Vector) value).elements();
    JsonNode expected = each.path("exp_samples");
    boolean good = actual.size() == expected.size();
    for (JsonNode sample : expected) {
      Labels labels = labels(sample.get("labels").asText());
      double wanted = number(sample.get("value").asText());
      good &=
          actual.stream()
              .anyMatch(e -> e.labels().equals(labels) && isClose(e.value(), wanted));
    }
    if (!good) {
      failures.add(text + " at " + each.get("eval_time") + ": " + actual + " not " + expected);
    }
  }

  private static boolean isClose(double actual, double wanted) {
    return actual == wanted
        || Double.isNaN(actual) && Double.isNaN(wanted)
        || Math.abs(actual - wanted) <= TOLERANCE * Math.abs(wanted);
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      case "NaN" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }

  private static Labels labels(String text) {
    if (text.equals("{}")) {
      return Labels.EMPTY;
    }
    Labels labels = Labels.EMPTY;
    Expression.VectorSelector selector = (Expression.VectorSelector) PromqlParser.parse(text);
    for (LabelMatcher matcher : selector.matchers()) {
      labels = labels.with(matcher.label(), matcher.value());
    }
    return labels;
  }

  private static void append(SeriesStore store, String series, String values, long step) {
    Labels labels = labels(series);
    int index = 0;
    for (String word : values.trim().split("\\s+")) {
      if (word.equals("stale")) {
        store.append(labels, index++ * step, StoredSeries.STALE);
      } else if (word.equals("_")) {
        index++;
      } else if (word.startsWith("_x")) {
        index += Integer.parseInt(word.substring(2));
      } else if (word.matches("[^x]*\\d[+-].*x\\d+")) {
        String[] parts = word.split("(?<=\\d)(?=[+-])|x");
        for (int i = 0; i <= Integer.parseInt(parts[2]); i++) {
          double value = Double.parseDouble(parts[0]) + i * Double.parseDouble(parts[1]);
          store.append(labels, index++ * step, value);
        }
      } else {
        store.append(labels, index++ * step, number(word));
      }
    }
  }

  private static long millis(JsonNode node) {
    return PromTime.millis(node.asText()).orElseThrow();
  }
}
