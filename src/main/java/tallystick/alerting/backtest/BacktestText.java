package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.promql.Firing;

/** Scores and firings as text for a terminal. */
public final class BacktestText {
  private static final int WIDTH = 54;

  private BacktestText() {}

  /** One line for each alert, under a heading. */
  public static String scores(List<AlertScore> scores) {
    StringBuilder text = new StringBuilder();
    text.append(
        row(
            "alert", "found", "covered", "precision", "false", "in health", "fires P50/P95",
            "resolves", "a day"));
    for (AlertScore score : scores) {
      text.append(
          row(
              score.alert(),
              ScoreWords.hits(score.all()),
              ScoreWords.percent(score.time().coverage()),
              ScoreWords.precision(score),
              Integer.toString(score.falseFirings()),
              ScoreWords.percent(score.time().inHealth()),
              seconds(ScoreWords.delaySeconds(score)),
              seconds(ScoreWords.resolveSeconds(score)),
              ScoreWords.number(score.firingsPerDay())));
    }
    return text.toString();
  }

  /** One line for each selector of an alert that selects nothing in any of the runs. */
  public static String withoutSeries(List<RunTimeline> runs) {
    StringBuilder text = new StringBuilder();
    selectorsWithoutSeries(runs)
        .forEach(
            (alert, selectors) ->
                selectors.forEach(
                    selector ->
                        text.append(
                            "%s: no series in these runs for %s: what it would do is not known%n"
                                .formatted(alert, selector))));
    return text.toString();
  }

  /** Each alert that has a selector without series in every run, and these selectors. */
  public static Map<String, List<String>> selectorsWithoutSeries(List<RunTimeline> runs) {
    Map<String, List<String>> without = new LinkedHashMap<>();
    runs.getFirst()
        .traits()
        .forEach(
            (alert, first) -> {
              List<String> everywhere = new ArrayList<>(first.withoutSeries());
              runs.forEach(
                  run ->
                      everywhere.retainAll(
                          run.traits().getOrDefault(alert, AlertTraits.NONE).withoutSeries()));
              if (!everywhere.isEmpty()) {
                without.put(alert, everywhere);
              }
            });
    return without;
  }

  /** When users suffered and when each alert fired, run by run. */
  public static String timelines(List<RunTimeline> runs) {
    StringBuilder text = new StringBuilder();
    for (RunTimeline run : runs) {
      text.append(run.run()).append("\n");
      for (Episode episode : run.episodes()) {
        text.append(
            "  %-16s %s to %s%n"
                .formatted(
                    "users suffered",
                    clock(episode.onsetMillis() - run.windowMillis()),
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

  /**
   * A run as lines of letters over time: # users suffered, = fired, ! fired and nobody suffered.
   *
   * @param alerts the alerts to show, in their order
   */
  public static String bands(RunTimeline run, List<String> alerts) {
    char[] users = empty();
    for (Episode episode : run.episodes()) {
      fill(users, run, episode.onsetMillis() - run.windowMillis(), episode.endMillis(), '#');
    }
    StringBuilder text = new StringBuilder(run.run()).append("\n");
    text.append(line("users suffered", new String(users)));
    for (String alert : alerts) {
      if (!run.replays(alert)) {
        text.append(line(alert, "refused by the runs it would be derived from"));
        continue;
      }
      char[] fired = empty();
      for (Firing firing : run.firings()) {
        if (firing.alert().equals(alert)) {
          char letter = run.isFalse(firing) ? '!' : '=';
          fill(fired, run, firing.firedMillis(), run.endOf(firing), letter);
        }
      }
      text.append(line(alert, new String(fired)));
    }
    return text.toString();
  }

  private static char[] empty() {
    char[] letters = new char[WIDTH];
    Arrays.fill(letters, '.');
    return letters;
  }

  private static void fill(
      char[] letters, RunTimeline run, long fromMillis, long toMillis, char letter) {
    double length = Math.max(1, run.endMillis() - run.startMillis());
    int from = (int) ((fromMillis - run.startMillis()) / length * WIDTH);
    int to = (int) Math.ceil((toMillis - run.startMillis()) / length * WIDTH);
    for (int i = Math.max(0, from); i < Math.min(WIDTH, Math.max(to, from + 1)); i++) {
      letters[i] = letter;
    }
  }

  private static String line(String name, String band) {
    return String.format(Locale.ROOT, "  %-42s %s%n", name, band);
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, "%-34s %-10s %-8s %-12s %-6s %-10s %-14s %-12s %s%n", cells);
  }

  private static String seconds(String figures) {
    return figures.equals("n/a") ? figures : figures + " s";
  }

  /** A time of a run as hours, minutes and seconds, for example {@code 1:13:30}. */
  public static String clock(long millis) {
    long seconds = millis / 1000;
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
}
