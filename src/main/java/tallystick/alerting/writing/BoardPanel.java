package tallystick.alerting.writing;

import java.util.List;
import java.util.Optional;
import tallystick.alerting.rules.RuleSet;

/**
 * One panel of the dashboard.
 *
 * @param isNumber whether it is drawn as one number, good above its threshold, or over time
 * @param unit Grafana's name of the unit
 * @param thresholds drawn as lines, ascending
 * @param alert whose entry of the runbook belongs to it
 * @param note what a reader must know
 */
record BoardPanel(
    boolean isNumber,
    String title,
    String unit,
    List<Query> queries,
    List<Double> thresholds,
    Optional<String> alert,
    String note) {
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
  record Query(String expression, String legend, boolean countAxis) {}
}
