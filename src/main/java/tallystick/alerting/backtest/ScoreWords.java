package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import tallystick.scenario.LengthOfTime;

/** The words every format uses for the figures of an {@link AlertScore}. */
public final class ScoreWords {
  /** What {@link #says} says of an alert that has no fault in the runs. */
  public static final String GOOD = "good here";

  /** What it says of one that fired in no health but that which belongs to suffering. */
  public static final String NO_HEALTH = "no good period";

  /** What fires in more than half of health tells nothing by firing. */
  private static final double MOSTLY = 0.5;

  /** What fires in less than half of the suffering leaves most of it to the users to report. */
  private static final double LEAST_COVERED = 0.5;

  /** As much as a signal on ramps must have to be called leading, see docs/alerts.md. */
  private static final double LEAST_PRECISION = 0.8;

  /** As far as a firing may lie from an episode and still belong to it. */
  private static final double LATE_SECONDS = Episode.SLACK_MILLIS / 1e3;

  private ScoreWords() {}

  /** Episodes found, of those there were. */
  public static String hits(AlertScore.Hits hits) {
    return hits.found() + " of " + hits.episodes();
  }

  /** A number with two places, {@code n/a} where it is not finite. */
  public static String number(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "n/a";
  }

  /** A share in per cent, {@code n/a} where there is none. */
  public static String percent(double share) {
    return percent(share, "n/a");
  }

  /** A share in per cent, or why there is none. */
  public static String percent(double share, String otherwise) {
    return Double.isNaN(share) ? otherwise : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** The precision of an alert in per cent, or why it has none. */
  public static String precision(AlertScore score) {
    return percent(score.precision(), score.firings() == 0 ? "never fired" : "n/a");
  }

  /** Median and P95 of the times to resolve in seconds; {@code n/a} without any. */
  public static String resolveSeconds(AlertScore score) {
    FiringTime time = score.time();
    return middleAndMost(!time.resolve().isEmpty(), time::resolveSeconds);
  }

  private static String middleAndMost(boolean isKnown, DoubleUnaryOperator atLevel) {
    return isKnown
        ? String.format(
            Locale.ROOT, "%.0f / %.0f", atLevel.applyAsDouble(0.5), atLevel.applyAsDouble(0.95))
        : "n/a";
  }

  /** Whether its delays say when it fired for who suffered: beside no coverage they do not. */
  public static boolean hasDelay(AlertScore score) {
    return !score.delaysSeconds().isEmpty()
        && !percent(score.time().coverage()).equals(percent(0));
  }

  /** Median and P95 of the delays in seconds, without the unit; {@code n/a} without any. */
  public static String delaySeconds(AlertScore score) {
    return middleAndMost(hasDelay(score), score::delaySeconds);
  }

  /**
   * What an alert's figures come to. Late is a median of more than five minutes, loose a precision
   * below 0.8; it misses where it fires in less than half of the suffering.
   */
  public static String says(AlertScore score) {
    FiringTime time = score.time();
    if (score.firings() == 0) {
      return "never fired";
    }
    if (time.suffering() == 0) {
      return "fired while healthy";
    }
    boolean isHealthBesideIt = time.wrong() == 0 && time.inHealth() > MOSTLY;
    if (time.healthy() == 0 || isHealthBesideIt) {
      return NO_HEALTH;
    }
    if (time.inHealth() > MOSTLY) {
      return "fires most of the time";
    }
    List<String> words = new ArrayList<>();
    if (time.coverage() < LEAST_COVERED) {
      words.add("misses");
    }
    if (hasDelay(score) && score.delaySeconds(0.5) > LATE_SECONDS) {
      words.add("late");
    }
    if (score.precision() < LEAST_PRECISION) {
      words.add("noisy");
    }
    return words.isEmpty() ? GOOD : String.join(", ", words);
  }

  /** False firings, and in how much health; without health nobody can count any. */
  public static String falseFirings(AlertScore score) {
    double seconds = score.health().seconds();
    return seconds == 0
        ? "users were never well 5 min away from a bad stretch, so false firings are not counted"
        : score.falseFirings() + " false in " + LengthOfTime.words(seconds) + " of health";
  }
}
