package tallystick.alerting.backtest;

import java.util.Locale;

/** The words every format uses for the figures of an {@link AlertScore}. */
public final class ScoreWords {
  private ScoreWords() {}

  /** Episodes found, of those there were. */
  public static String hits(AlertScore.Hits hits) {
    return hits.found() + " of " + hits.episodes();
  }

  /** A share with three places, or why there is none. */
  public static String share(double value, String otherwise) {
    return Double.isNaN(value) ? otherwise : String.format(Locale.ROOT, "%.3f", value);
  }

  /** A number with two places, {@code n/a} where it is not finite. */
  public static String number(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "n/a";
  }

  /** A share in per cent, {@code n/a} where there is none. */
  public static String percent(double share) {
    return Double.isNaN(share) ? "n/a" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** Median and P95 of the times to resolve in seconds; {@code n/a} without any. */
  public static String resolveSeconds(AlertScore score) {
    FiringTime time = score.time();
    return time.resolve().isEmpty()
        ? "n/a"
        : String.format(
            Locale.ROOT, "%.0f / %.0f", time.resolveSeconds(0.5), time.resolveSeconds(0.95));
  }

  /** Median and P95 of the delays in seconds, without the unit; {@code n/a} without any. */
  public static String delaySeconds(AlertScore score) {
    return score.delaysSeconds().isEmpty()
        ? "n/a"
        : String.format(
            Locale.ROOT, "%.0f / %.0f", score.delaySeconds(0.5), score.delaySeconds(0.95));
  }
}
