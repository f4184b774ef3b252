package tallystick.report;

import java.util.Locale;
import java.util.stream.Collectors;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.history.History;

/** What the page and the screen of a history both say. */
final class HistoryWords {
  private static final int MOST_DIFFERENCES = 3;

  private HistoryWords() {}

  /** A change in words, with the versions and settings that changed there. */
  static String sentence(
      History.Series series, ComparedMetric metric, History.Change change) {
    String told =
        change.differences().stream()
            .limit(MOST_DIFFERENCES)
            .map(one -> one.name() + " " + one.base() + " -> " + one.candidate())
            .collect(Collectors.joining("; "));
    History.Run first = series.runs().get(change.at());
    return "series " + series.number() + ": " + metric.words() + " "
        + (change.worse() > 0 ? "worse" : "better") + " by "
        + RegressionWords.plain(Math.abs(change.worse())) + " from " + first.began() + " on, "
        + RegressionWords.figure(metric, change.before()) + " -> "
        + RegressionWords.figure(metric, change.after()) + " (chance "
        + chance(change.pValue()) + ")"
        + (told.isEmpty() ? "; no version or setting changed there" : "; " + told);
  }

  /** A place at which nobody can tell whether the level changed. */
  static String unclear(History.Series series, ComparedMetric metric, History.Change change) {
    return "cannot tell: series " + series.number() + ": " + metric.words() + " "
        + (change.worse() > 0 ? "worse" : "better") + " by "
        + RegressionWords.plain(Math.abs(change.worse())) + " from "
        + series.runs().get(change.at()).began()
        + " on, but runs that follow one another closely make as much in "
        + chance(change.pValue()) + " of series without a change";
  }

  private static String chance(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
