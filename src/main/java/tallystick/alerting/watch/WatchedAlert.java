package tallystick.alerting.watch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.promql.AlertState;
import tallystick.promql.ExpressionText;
import tallystick.promql.Firing;
import tallystick.promql.Labels;
import tallystick.promql.RuleGroup;
import tallystick.promql.StoredSeries;
import tallystick.promql.Value;

/**
 * An alert as it can be asked for: what its recordings record stands in their place.
 *
 * @param rule its expression needs no other rule
 * @param intervalMillis between two evaluations
 * @param memoryMillis how far back it looks, and how long it goes on firing
 * @param isJudged whether it should be silent while users are well; one on what is down or gone
 *     need not
 * @param signals thresholds that a study learned
 */
public record WatchedAlert(
    RuleGroup.Alert rule,
    long intervalMillis,
    long memoryMillis,
    boolean isJudged,
    List<Learned> signals) {
  /** After a longer outage it forgets what was pending: --rules.alert.for-outage-tolerance. */
  private static final long MOST_REMEMBERED_MILLIS = 3_600_000;

  /**
   * A threshold, and what the study that found it saw while users were well.
   *
   * @param word the signal, for example {@code queue_p95}
   * @param most the largest value of a window in which users were well
   * @param windows how many of these windows there were
   * @param query the signal's value, with the guard that the alert has
   */
  public record Learned(String word, double threshold, double most, int windows, String query) {}

  public WatchedAlert {
    signals = List.copyOf(signals);
  }

  /**
   * Every time it fired: its expression as the Prometheus evaluates it, then {@code for} here.
   * Those that last at the end are {@link Firing#STILL}.
   */
  List<Firing> firings(MetricHistory history, Seen seen) throws IOException, InterruptedException {
    AlertState state = new AlertState(rule);
    long[] last = {Long.MAX_VALUE};
    history.range(
        ExpressionText.of(rule.expression()), seen.steps(intervalMillis),
        (steps, store) -> {
          Map<Labels, double[]> values = new LinkedHashMap<>();
          steps.put(store, values);
          for (int i = 0; i < steps.count(); i++) {
            long at = steps.at(i);
            if (seen.at(at)) {
              if (at - last[0] > MOST_REMEMBERED_MILLIS) {
                state.step(Value.Vector.EMPTY, last[0] + intervalMillis);
              }
              state.step(elements(values, i), at);
              last[0] = at;
            }
          }
        });
    return state.firings();
  }

  private static Value.Vector elements(Map<Labels, double[]> values, int step) {
    List<Value.Element> elements = new ArrayList<>();
    values.forEach(
        (labels, all) -> {
          if (!StoredSeries.isStale(all[step])) {
            elements.add(new Value.Element(labels, all[step]));
          }
        });
    return new Value.Vector(elements);
  }
}
