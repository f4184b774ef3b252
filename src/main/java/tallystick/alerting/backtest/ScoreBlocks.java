package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Tone;
import tallystick.promql.Firing;

/** How alerts did, and when they fired, as parts of a whole account. */
public final class ScoreBlocks {
  /** Letters of a band: with its indent it fits a terminal of 80 columns. */
  private static final int LETTERS = 54;

  private ScoreBlocks() {}

  /** One row for each alert. */
  public static Block.Table scores(List<AlertScore> scores) {
    List<Column> columns =
        List.of(
            Column.name("alert"), Column.number("found"), Column.number("covered"),
            Column.number("precision"), Column.number("false").spare(1),
            Column.number("in health"), Column.number("fires P50/P95"),
            Column.number("resolves").spare(2), Column.number("a day").spare(3));
    return new Block.Table(
        "How the alerts did", false, columns, scores.stream().map(ScoreBlocks::row).toList());
  }

  private static Block.Row row(AlertScore score) {
    return words(
        score.alert(),
        ScoreWords.hits(score.all()),
        ScoreWords.percent(score.time().coverage()),
        ScoreWords.precision(score),
        Integer.toString(score.falseFirings()),
        ScoreWords.percent(score.time().inHealth()),
        seconds(ScoreWords.delaySeconds(score)),
        seconds(ScoreWords.resolveSeconds(score)),
        ScoreWords.number(score.firingsPerDay()));
  }

  private static String seconds(String figures) {
    return figures.equals("n/a") ? figures : figures + " s";
  }

  /** A row of plain cells. */
  public static Block.Row words(String... cells) {
    return new Block.Row(Tone.PLAIN, Stream.of(cells).map(Cell::of).toList());
  }

  /**
   * A run as lines of letters over time: # users suffered, = fired, ! fired and nobody suffered.
   *
   * @param alerts the alerts to show, in their order
   */
  public static List<Block> bands(RunTimeline run, List<String> alerts) {
    char[] users = empty();
    for (Episode episode : run.episodes()) {
      fill(users, run, episode.onsetMillis() - run.windowMillis(), episode.endMillis(), '#');
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(text(run.run()));
    blocks.add(text("users suffered"));
    blocks.add(text(new String(users)));
    for (String alert : alerts) {
      blocks.add(text(alert));
      blocks.add(
          text(
              run.replays(alert)
                  ? fired(run, alert)
                  : "refused by the runs it would be derived from"));
    }
    return blocks;
  }

  private static String fired(RunTimeline run, String alert) {
    char[] fired = empty();
    for (Firing firing : run.firings()) {
      if (firing.alert().equals(alert)) {
        char letter = run.isFalse(firing) ? '!' : '=';
        fill(fired, run, firing.firedMillis(), run.endOf(firing), letter);
      }
    }
    return new String(fired);
  }

  /** A line of plain text. */
  public static Block.Text text(String line) {
    return new Block.Text(Tone.PLAIN, line);
  }

  private static char[] empty() {
    char[] letters = new char[LETTERS];
    Arrays.fill(letters, '.');
    return letters;
  }

  private static void fill(
      char[] letters, RunTimeline run, long fromMillis, long toMillis, char letter) {
    double length = Math.max(1, run.endMillis() - run.startMillis());
    int from = (int) ((fromMillis - run.startMillis()) / length * LETTERS);
    int to = (int) Math.ceil((toMillis - run.startMillis()) / length * LETTERS);
    for (int i = Math.max(0, from); i < Math.min(LETTERS, Math.max(to, from + 1)); i++) {
      letters[i] = letter;
    }
  }
}
