package tallystick.report.screen;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.BacktestText;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.alerting.backtest.ScoreWords;
import tallystick.scenario.Counted;
import tallystick.scenario.LengthOfTime;

/** The first screen of a backtest: which alerts found suffering users and left the others alone. */
public final class BacktestScreen {
  private static final List<String> HEADS =
      List.of("alert", "right", "covers", "in health", "first", "says");

  private final List<RunTimeline> runs;
  private final List<AlertScore> scores;

  /** A screen of runs in which rules were replayed, and the alerts' scores over them. */
  public BacktestScreen(List<RunTimeline> runs, List<AlertScore> scores) {
    this.runs = runs;
    this.scores = scores;
  }

  /**
   * The screen, without what comes next.
   *
   * @param rules the file, as the user named it
   * @param cautions what else a reader must know
   * @param room how many alerts and cautions to show
   */
  public Screen of(String rules, List<String> cautions, int room) {
    Screen screen = new Screen("backtest", rules, counted(runs.size(), "run"), lived());
    Map<String, List<String>> blind = BacktestText.selectorsWithoutSeries(runs);
    verdict(screen, blind);
    cautions.stream().limit(room + 1L).forEach(each -> screen.caution("!", each));
    int shown = Math.min(Math.max(1, room), scores.size());
    screen.table(
        HEADS, scores.subList(0, shown).stream().map(score -> row(score, blind)).toList());
    if (shown < scores.size()) {
      screen.plain("", "and " + counted(scores.size() - shown, "alert") + " more");
    }
    return screen;
  }

  private void verdict(Screen screen, Map<String, List<String>> blind) {
    List<AlertScore> judged = scores.stream().filter(this::isExercised).toList();
    long good =
        judged.stream()
            .filter(score -> says(score, blind).equals(ScoreWords.GOOD))
            .count();
    if (scores.isEmpty()) {
      screen.caution("VERDICT", "none: the file has no alert");
    } else if (suffering() == 0) {
      screen.caution("VERDICT", "cannot tell: in these runs users did not suffer");
    } else if (good == 0 && scores.getFirst().time().healthy() > 0 && isHealthMissing(blind)) {
      screen.caution(
          "VERDICT", "cannot tell: whenever users were well they had suffered just before");
    } else if (scores.getFirst().time().healthy() == 0) {
      screen.caution("VERDICT", "cannot tell: in these runs users were never well");
    } else if (judged.isEmpty()) {
      screen.caution(
          "VERDICT", "cannot tell: no alert fired, and none reads what users waited for");
    } else {
      screen.plain(
          "VERDICT",
          good + " of " + counted(judged.size(), "alert") + " that these runs put to the test can"
              + " be trusted: fired in time where users suffered, hardly elsewhere");
    }
    untested(screen);
  }

  /** What never fired and need not have is neither good nor bad here. */
  private void untested(Screen screen) {
    List<String> names =
        scores.stream().filter(score -> !isExercised(score)).map(AlertScore::alert).toList();
    if (!names.isEmpty() && names.size() < scores.size()) {
      screen.plain(
          "", "not put to the test, because nothing they watch for was seen: "
              + String.join(", ", names));
    }
  }

  private boolean isExercised(AlertScore score) {
    return runs.stream().anyMatch(run -> run.exercises(score.alert()));
  }

  private boolean isHealthMissing(Map<String, List<String>> blind) {
    return scores.stream().anyMatch(score -> says(score, blind).equals(ScoreWords.NO_HEALTH));
  }

  private String lived() {
    double whole = runs.stream().mapToDouble(run -> run.endMillis() - run.startMillis()).sum();
    return LengthOfTime.words(whole / 1000) + ", of which users suffered "
        + LengthOfTime.words(suffering());
  }

  private double suffering() {
    return scores.isEmpty() ? 0 : scores.getFirst().time().suffering();
  }

  private List<String> row(AlertScore score, Map<String, List<String>> blind) {
    boolean fired = score.firings() > 0;
    List<String> cells = new ArrayList<>(List.of(score.alert()));
    cells.add(fired ? ScoreWords.percent(score.precision()) : "-");
    cells.add(isExercised(score) ? ScoreWords.percent(score.time().coverage()) : "-");
    cells.add(LengthOfTime.words(score.time().excused() + score.time().wrong()));
    cells.add(first(score));
    cells.add(says(score, blind));
    return cells;
  }

  private String first(AlertScore score) {
    if (!ScoreWords.hasDelay(score)) {
      return "-";
    }
    double delay = score.delaySeconds(0.5);
    double window = runs.getFirst().windowMillis() / 1e3;
    if (delay < 0 && delay >= -window) {
      return "at once";
    }
    return LengthOfTime.words(Math.abs(delay)) + (delay < 0 ? " early" : " late");
  }

  private String says(AlertScore score, Map<String, List<String>> blind) {
    if (score.firings() == 0 && blind.containsKey(score.alert())) {
      return "no such series";
    }
    return isExercised(score) ? ScoreWords.says(score) : "not tested";
  }

  private static String counted(long count, String word) {
    return Counted.of(count, word, word + "s");
  }
}
