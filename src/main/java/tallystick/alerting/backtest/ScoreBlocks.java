package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.answer.Tone;
import tallystick.promql.Firing;

/** How alerts did, and when they fired, as parts of a whole account. */
public final class ScoreBlocks {
  /** Letters of a band: beside the longest name of an alert they fit 80 columns. */
  private static final int LETTERS = 44;

  private ScoreBlocks() {}

  /**
   * One row for each alert.
   *
   * @param where what they were tried on; no two tables of a page have one name
   */
  public static Block.Table scores(String where, List<AlertScore> scores) {
    List<Column> columns =
        List.of(
            Column.name("alert"), Column.number("found"), Column.number("sustained").spare(4),
            Column.number("false").spare(1), Column.number("covered"),
            Column.number("precision"), Column.number("in health"),
            Column.number("fires P50 / P95, s").spare(2),
            Column.number("resolves P50 / P95, s").spare(5),
            Column.number("firings a day").spare(3),
            Column.number("false in 24 h (≤)").spare(6));
    return new Block.Table(
        ("How the alerts did " + where).strip(), false, columns,
        scores.stream().map(ScoreBlocks::row).toList());
  }

  private static Block.Row row(AlertScore score) {
    return Block.Row.words(
        score.alert(),
        ScoreWords.hits(score.all()),
        ScoreWords.hits(score.sustained()),
        Integer.toString(score.falseFirings()),
        ScoreWords.percent(score.time().coverage()),
        ScoreWords.precision(score),
        ScoreWords.percent(score.time().inHealth()),
        ScoreWords.delaySeconds(score),
        ScoreWords.resolveSeconds(score),
        ScoreWords.number(score.firingsPerDay()),
        falsePerDay(score));
  }

  private static String falsePerDay(AlertScore score) {
    double bound = score.falsePerDayBound();
    return Double.isFinite(bound)
        ? ScoreWords.number(score.falsePerDay()) + " (" + ScoreWords.number(bound) + ")"
        : "n/a";
  }

  /**
   * A run as letters over time: # users suffered, = fired, ! fired and nobody suffered.
   *
   * @param source which runs its alerts come from
   * @param alerts the alerts to show, in their order
   */
  public static Block.Table bands(RunTimeline run, String source, List<String> alerts) {
    char[] users = empty();
    for (Episode episode : run.episodes()) {
      fill(users, run, run.startOf(episode), episode.endMillis(), '#');
    }
    List<Block.Row> rows = new ArrayList<>();
    rows.add(Block.Row.words("users suffered", new String(users)));
    for (String alert : alerts) {
      rows.add(
          Block.Row.words(
              alert,
              run.replays(alert)
                  ? fired(run, alert)
                  : "not replayed: refused by the other runs"));
    }
    List<Column> columns = List.of(Column.name(run.run()), Column.words(source));
    return new Block.Table("When alerts fired", false, columns, rows);
  }

  private static String fired(RunTimeline run, String alert) {
    char[] fired = empty();
    for (Firing firing : run.firings(alert)) {
      char letter = run.isFalse(firing) ? '!' : '=';
      fill(fired, run, firing.firedMillis(), run.endOf(firing), letter);
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
