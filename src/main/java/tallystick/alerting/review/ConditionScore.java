package tallystick.alerting.review;

import java.util.List;
import java.util.Optional;
import tallystick.alerting.backtest.AlertScore;

/**
 * How the alerts did under one condition.
 *
 * @param words the condition, for example {@code with each run left out in turn}
 * @param notes alerts that were refused where something was left out: they are not judged there
 */
public record ConditionScore(String words, List<AlertScore> scores, List<String> notes) {
  /** The condition that the alerts judged were derived from other runs. */
  public static final String RUN_LEFT_OUT = "with each run left out in turn";

  /** The condition that users should be well all the time. */
  static final String HEALTH = "on healthy load, which nothing was derived from";

  public ConditionScore {
    scores = List.copyOf(scores);
    notes = List.copyOf(notes);
  }

  /** How one alert did; empty where it was not judged. */
  Optional<AlertScore> of(String alert) {
    return scores.stream().filter(score -> score.alert().equals(alert)).findFirst();
  }
}
