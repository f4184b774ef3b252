package tallystick.alerting.writing;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.SignalQuery;
import tallystick.alerting.rules.RuleSet;

/**
 * One panel of the dashboard.
 *
 * @param unit Grafana's name of the unit
 * @param thresholds drawn as lines, ascending
 * @param alert whose entry of the runbook belongs to it
 * @param note what a reader must know
 */
record BoardPanel(
    Kind kind,
    String title,
    String unit,
    List<Query> queries,
    List<Double> thresholds,
    Optional<String> alert,
    String note) {
  /** The series a reader chose in the dashboard's variables. */
  static final String FILTER = "cluster=~\"$cluster\",model_name=~\"$model\"";

  /** How it is drawn. */
  enum Kind {
    /** Over time. */
    LINES,
    /** One number, good above its threshold. */
    STAT
  }

  /** PromQL of the engine's metrics for each model of those that a reader chose. */
  static SignalQuery query(DerivedAlerts derived) {
    SignalQuery query = derived.query();
    return new SignalQuery(
        query.names(), List.of("model_name"), query.latency(), query.edge(), FILTER);
  }

  /** Lines over time, those of each list behind one another. */
  @SafeVarargs
  static BoardPanel of(String title, String unit, List<Query>... queries) {
    return new BoardPanel(
        Kind.LINES, title, unit, Stream.of(queries).flatMap(List::stream).toList(), List.of(),
        Optional.empty(), "");
  }

  BoardPanel above(List<Double> lines) {
    return new BoardPanel(kind, title, unit, queries, lines, alert, note);
  }

  BoardPanel answeredBy(String name) {
    return new BoardPanel(kind, title, unit, queries, thresholds, Optional.of(name), note);
  }

  BoardPanel noted(String words) {
    return new BoardPanel(kind, title, unit, queries, thresholds, alert, words);
  }

  /** What a reader must know, and where the runbook goes on. */
  String description(String runbook) {
    String entry = entry(runbook);
    return (note + (entry.isEmpty() ? "" : "Runbook: " + entry)).strip();
  }

  /** Where the runbook has its alert; empty without one. */
  String entry(String runbook) {
    return alert.map(name -> runbook + RuleSet.anchor(name)).orElse("");
  }

  /**
   * One line of a panel.
   *
   * @param countAxis whether it is a number of requests, drawn on the right
   */
  record Query(String expression, String legend, boolean countAxis) {
    static Query of(String expression, String legend) {
      return new Query(expression, legend, false);
    }
  }
}
