package tallystick.alerting.watch;

import java.util.List;
import tallystick.promql.RuleGroup;

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

  /** Its name. */
  public String name() {
    return rule.name();
  }
}
