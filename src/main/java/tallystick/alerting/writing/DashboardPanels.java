package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalQuery;
import tallystick.alerting.writing.BoardPanel.Query;
import tallystick.runrecord.MetricConcept;

/** The panels of the production dashboard: the objective, then those of {@code panels.yaml}. */
record DashboardPanels(DerivedAlerts derived, SignalQuery board) {
  /** What a metric means, its name where an engine has none, its part, its own matchers. */
  private static final Pattern METRIC = Pattern.compile("<(\\w+)(?:\\|(\\w+))?>(\\w*)(\\{?)");

  static DashboardPanels of(DerivedAlerts derived) {
    return new DashboardPanels(derived, BoardPanel.query(derived));
  }

  /** The panels in reading order. */
  List<BoardPanel> all() {
    List<BoardPanel> all = new ArrayList<>(new SloPanels(derived, board).all());
    YamlText.read(BoardForm.text("panels.yaml")).forEach(form -> all.add(panel(form)));
    return all;
  }

  private BoardPanel panel(JsonNode form) {
    List<Query> lines = new ArrayList<>();
    for (JsonNode line : form.get("lines")) {
      expression(line.get("expr").asText())
          .map(text -> new Query(text, line.get("legend").asText(), line.has("onRight")))
          .ifPresent(lines::add);
    }
    return new BoardPanel(
        BoardPanel.Kind.LINES, form.get("title").asText(), form.get("unit").asText(), lines,
        thresholds(form.path("signal").asText()),
        Optional.ofNullable(form.get("alert")).map(JsonNode::asText), form.path("note").asText());
  }

  /** With this engine's metrics; empty where it does not expose one of them. */
  private Optional<String> expression(String form) {
    boolean isKnown =
        METRIC.matcher(form).results().allMatch(metric -> name(metric).isPresent());
    return isKnown
        ? Optional.of(
            METRIC.matcher(form)
                .replaceAll(metric -> Matcher.quoteReplacement(name(metric).orElseThrow())))
        : Optional.empty();
  }

  private Optional<String> name(MatchResult metric) {
    return board.names()
        .family(MetricConcept.valueOf(metric.group(1)))
        .or(() -> Optional.ofNullable(metric.group(2)))
        .map(family -> family + metric.group(3))
        .map(name -> metric.group(4).isEmpty() ? board.scoped(name) : name + "{");
  }

  private List<Double> thresholds(String signal) {
    return derived.derived().stream()
        .filter(one -> one.signal().name().equals(signal))
        .map(SignalOutcome.Derived::threshold)
        .toList();
  }
}
