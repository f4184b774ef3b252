package tallystick.alerting.writing;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.alerting.AlertForms;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalQuery;
import tallystick.alerting.rules.BurnRate;
import tallystick.alerting.writing.BoardPanel.Query;

/**
 * The panels of {@code panels.yaml} for one derivation.
 *
 * @param words of its objective
 */
record DashboardPanels(DerivedAlerts derived, SignalQuery board, Map<String, String> words) {
  /** The series a reader chose in the dashboard's variables. */
  private static final String FILTER = "cluster=~\"$cluster\",model_name=~\"$model\"";

  static DashboardPanels of(DerivedAlerts derived) {
    SignalQuery query = derived.query();
    SignalQuery board =
        new SignalQuery(
            query.names(), List.of("model_name"), query.latency(), query.edge(), FILTER);
    return new DashboardPanels(derived, board, new HashMap<>());
  }

  /** The panels in reading order; none of the objective where no bucket stands for it. */
  List<BoardPanel> all() {
    boolean isCounted =
        board.names().family(board.latency()).isPresent()
            && derived
                .refused(Signal.BAD_RATIO)
                .filter(refused -> refused.code() == RefusalCode.UNRESOLVABLE)
                .isEmpty();
    if (isCounted) {
      tellObjective();
    }
    List<BoardPanel> all = new ArrayList<>();
    for (JsonNode form : AlertForms.data(AlertForms.text("panels.yaml"))) {
      if (isCounted || !form.has("drawn")) {
        all.add(panel(form));
      }
    }
    return all;
  }

  private void tellObjective() {
    AlertRequest request = derived.request();
    double share = request.objective().share();
    words.put("metric", request.objective().metric().name());
    words.put("mark", request.mark());
    words.put("share", RuleWords.number(share));
    words.put("edge", RuleWords.number(derived.edge().seconds()));
    words.put("budget", RuleWords.number(budget()));
    for (String range : List.of("5m", "1h", "6h", "30d")) {
      words.put("bad" + range, board.badRatioOfAny(range).orElseThrow());
    }
  }

  // 1 - 0.99 is not written as 0.010000000000000009.
  private double budget() {
    return Math.round((1 - derived.request().objective().share()) * 1e9) / 1e9;
  }

  private BoardPanel panel(JsonNode form) {
    List<Query> lines = new ArrayList<>();
    for (JsonNode line : form.get("lines")) {
      board.filled(line.get("expr").asText(), words)
          .map(text -> new Query(text, line.get("legend").asText(), line.has("onRight")))
          .ifPresent(lines::add);
    }
    return new BoardPanel(
        form.has("isNumber"), text(form, "title"), text(form, "unit"), lines, thresholds(form),
        Optional.of(text(form, "alert")).filter(alert -> !alert.isEmpty()), text(form, "note"));
  }

  private String text(JsonNode form, String key) {
    return board.filled(form.path(key).asText(), words).orElseThrow();
  }

  private List<Double> thresholds(JsonNode form) {
    return switch (form.path("drawn").asText()) {
      case "nothing left" -> List.of(0.0);
      case "budget" -> List.of(budget());
      case "pages" ->
          BurnRate.PAGES.stream()
              .map(rate -> rate.usable(derived.request().objective().share()).factor())
              .sorted()
              .toList();
      default ->
          derived.derived().stream()
              .filter(one -> one.signal().name().equals(form.path("signal").asText()))
              .map(SignalOutcome.Derived::threshold)
              .toList();
    };
  }
}
