package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.alerting.AlertForms;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalQuery;
import tallystick.alerting.writing.BoardPanel.Query;

/** The panels of the production dashboard: the objective, then those of {@code panels.yaml}. */
record DashboardPanels(DerivedAlerts derived, SignalQuery board) {
  static DashboardPanels of(DerivedAlerts derived) {
    return new DashboardPanels(derived, BoardPanel.query(derived));
  }

  /** The panels in reading order. */
  List<BoardPanel> all() {
    List<BoardPanel> all = new ArrayList<>(new SloPanels(derived, board).all());
    AlertForms.data(AlertForms.text("panels.yaml")).forEach(form -> all.add(panel(form)));
    return all;
  }

  private BoardPanel panel(JsonNode form) {
    List<Query> lines = new ArrayList<>();
    for (JsonNode line : form.get("lines")) {
      board.filled(line.get("expr").asText(), Map.of())
          .map(text -> new Query(text, line.get("legend").asText(), line.has("onRight")))
          .ifPresent(lines::add);
    }
    return new BoardPanel(
        BoardPanel.Kind.LINES, form.get("title").asText(), form.get("unit").asText(), lines,
        thresholds(form.path("signal").asText()),
        Optional.ofNullable(form.get("alert")).map(JsonNode::asText), form.path("note").asText());
  }

  private List<Double> thresholds(String signal) {
    return derived.derived().stream()
        .filter(one -> one.signal().name().equals(signal))
        .map(SignalOutcome.Derived::threshold)
        .toList();
  }
}
