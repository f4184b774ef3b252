package tallystick.alerting.backtest;

import java.util.List;
import java.util.Locale;
import tallystick.analysis.prometheus.Firing;

/** Scores and firings as text for a terminal. */
public final class BacktestText {
  private BacktestText() {}

  /** One line for each alert, under a heading. */
  public static String scores(List<AlertScore> scores) {
    StringBuilder text = new StringBuilder();
    text.append(
        row(
            "alert", "found", "false", "precision", "recall", "delay P50/P95", "false/24h (<=)"));
    for (AlertScore score : scores) {
      text.append(
          row(
              score.alert(),
              score.found() + " of " + score.episodes(),
              Integer.toString(score.falseFirings()),
              share(score.precision(), "never fired"),
              share(score.recall(), "no episode"),
              delay(score),
              "%s (%s)"
                  .formatted(
                      number(score.falsePerDay()), number(score.falsePerDayBound()))));
    }
    return text.toString();
  }

  /** When users suffered and when each alert fired, run by run. */
  public static String timelines(List<Backtest.RunTimeline> runs) {
    StringBuilder text = new StringBuilder();
    for (Backtest.RunTimeline run : runs) {
      text.append(run.run()).append("\n");
      for (Episode episode : run.episodes()) {
        text.append(
            "  %-16s %s to %s%n"
                .formatted(
                    episode.isIsolated() ? "one bad window" : "users suffered",
                    clock(episode.onsetMillis()),
                    clock(episode.endMillis())));
      }
      for (Firing firing : run.firings()) {
        boolean lasts = firing.resolvedMillis() == Firing.STILL;
        text.append(
            "  %-16s %s to %s %s%n"
                .formatted(
                    "fired",
                    clock(firing.firedMillis()),
                    lasts ? "the end" : clock(firing.resolvedMillis()),
                    firing.alert()));
      }
    }
    return text.toString();
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, "%-34s %-9s %-6s %-12s %-11s %-15s %s%n", cells);
  }

  private static String share(double value, String otherwise) {
    return Double.isNaN(value) ? otherwise : String.format(Locale.ROOT, "%.3f", value);
  }

  private static String number(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "n/a";
  }

  private static String delay(AlertScore score) {
    return score.delaysSeconds().isEmpty()
        ? "n/a"
        : String.format(
            Locale.ROOT, "%.0f / %.0f s", score.delaySeconds(0.5), score.delaySeconds(0.95));
  }

  private static String clock(long millis) {
    long seconds = millis / 1000;
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
}
