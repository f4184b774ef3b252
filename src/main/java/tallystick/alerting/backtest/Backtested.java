package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.promql.Firing;
import tallystick.promql.PrometheusVersion;
import tallystick.scenario.Counted;
import tallystick.scenario.LengthOfTime;
import tallystick.scenario.PlainText;

/**
 * Which alerts of a rule file would have found suffering users and left the others alone.
 *
 * @param rules the file, as the user named it
 * @param folder of the first run, as the user named it
 * @param leftOut rules that cannot be evaluated, and why
 * @param isSimulated whether the engine of any run was
 * @param cutOff names of runs that did not reach their planned end
 * @param replays what each version of Prometheus would have done, the newest last
 * @param beside what else the whole account tells
 */
public record Backtested(
    String rules,
    String folder,
    List<String> leftOut,
    boolean isSimulated,
    Set<String> cutOff,
    List<Replay> replays,
    List<Section> beside)
    implements Decision {
  /** What one version of Prometheus would have done. */
  public record Replay(
      PrometheusVersion version, List<RunTimeline> runs, List<AlertScore> scores) {
    public Replay {
      runs = List.copyOf(runs);
      scores = List.copyOf(scores);
    }
  }

  /**
   * All scores, for programs.
   *
   * @param rules the file, as the user named it
   * @param leftOut rules that cannot be evaluated, and why
   * @param replays the scores by each version of Prometheus
   */
  public record Figures(String rules, List<String> leftOut, List<Scores> replays) {}

  /**
   * The scores by one version of Prometheus.
   *
   * @param prometheus the version
   * @param scores one for each alert
   */
  public record Scores(String prometheus, List<AlertScore> scores) {}

  public Backtested {
    leftOut = List.copyOf(leftOut);
    cutOff = Set.copyOf(cutOff);
    replays = List.copyOf(replays);
    beside = List.copyOf(beside);
  }

  @Override
  public Answer answer(Invocation asked) {
    Answer.Builder answer =
        Answer.of("backtest", rules, Counted.of(runs().size(), "run", "runs"), lived());
    verdict(answer);
    List<String> cautions = cautions();
    for (int i = 0; i < cautions.size(); i++) {
      answer.say(Tone.CAUTION, "!", cautions.get(i), i);
    }
    answer.block(table());
    String file = PlainText.argument(rules);
    answer.next(
        "./tally backtest " + file + " " + PlainText.argument(folder)
            + " --verbose  # every firing",
        "./tally lint " + file + " --run " + PlainText.argument(folder));
    List<Block> faults = leftOut.stream().<Block>map(ScoreBlocks::text).toList();
    answer.detail(Section.of("left-out", "", faults));
    replays.forEach(replay -> answer.detail(account(replay)));
    beside.forEach(answer::detail);
    List<Scores> figures =
        replays.stream().map(one -> new Scores(one.version().text(), one.scores())).toList();
    return answer.figures("", new Figures(rules, leftOut, figures)).comesTo(AnswerStatus.GOOD);
  }

  private List<RunTimeline> runs() {
    return replays.getLast().runs();
  }

  private List<AlertScore> scores() {
    return replays.getLast().scores();
  }

  private String lived() {
    double whole = runs().stream().mapToDouble(run -> run.endMillis() - run.startMillis()).sum();
    return LengthOfTime.words(whole / 1000) + ", of which users suffered "
        + LengthOfTime.words(suffering());
  }

  private double suffering() {
    return scores().isEmpty() ? 0 : scores().getFirst().time().suffering();
  }

  private void verdict(Answer.Builder answer) {
    List<AlertScore> judged = scores().stream().filter(this::isExercised).toList();
    long good = judged.stream().filter(score -> says(score).equals(ScoreWords.GOOD)).count();
    double healthy = scores().isEmpty() ? 0 : scores().getFirst().time().healthy();
    if (scores().isEmpty()) {
      answer.verdict(Tone.CAUTION, "none: the file has no alert");
    } else if (suffering() == 0) {
      answer.verdict(Tone.CAUTION, "cannot tell: in these runs users did not suffer");
    } else if (good == 0 && healthy > 0 && isHealthMissing()) {
      answer.verdict(
          Tone.CAUTION, "cannot tell: every healthy stretch came right after a bad one");
    } else if (healthy == 0) {
      answer.verdict(Tone.CAUTION, "cannot tell: in these runs users were never well");
    } else if (judged.isEmpty()) {
      answer.verdict(
          Tone.CAUTION, "cannot tell: no alert fired, and none watches what users wait for");
    } else {
      answer.verdict(
          Tone.PLAIN,
          good + " of " + Counted.of(judged.size(), "alert", "alerts")
              + " that these runs could test can be trusted: fired in time in bad periods, with"
              + " few false alarms");
    }
    // What never fired and need not have is neither good nor bad here.
    List<String> untested =
        scores().stream().filter(one -> !isExercised(one)).map(AlertScore::alert).toList();
    if (!untested.isEmpty() && untested.size() < scores().size()) {
      answer.say(
          Tone.PLAIN, "",
          "not put to the test, because nothing they watch for was seen: "
              + String.join(", ", untested));
    }
  }

  private boolean isExercised(AlertScore score) {
    return runs().stream().anyMatch(run -> run.exercises(score.alert()));
  }

  private boolean isHealthMissing() {
    return scores().stream().anyMatch(score -> says(score).equals(ScoreWords.NO_HEALTH));
  }

  private List<String> cautions() {
    List<String> cautions = new ArrayList<>();
    if (isSimulated) {
      cautions.add("simulated engine: a rehearsal; these figures do not describe real hardware");
    }
    for (RunTimeline run : runs()) {
      if (cutOff.contains(run.run())) {
        cautions.add(
            run.run() + " did not reach its planned end: replayed over its first "
                + LengthOfTime.words((run.endMillis() - run.startMillis()) / 1e3));
      }
    }
    Replay oldest = replays.getFirst();
    List<String> unlike =
        scores().stream()
            .filter(score -> !oldest.scores().contains(score))
            .map(AlertScore::alert)
            .toList();
    if (!unlike.isEmpty()) {
      cautions.add(
          "below is Prometheus " + replays.getLast().version().text() + "; "
              + oldest.version().text() + " would fire differently: " + String.join(", ", unlike));
    }
    cautions.addAll(leftOut);
    return cautions;
  }

  /** The first alert stays, the others give way from the last on. */
  private Block.Table table() {
    List<Block.Row> rows = new ArrayList<>();
    for (AlertScore score : scores()) {
      rows.add(row(score).spare(rows.isEmpty() ? 0 : rows.size() + 1));
    }
    return new Block.Table(
        "", false,
        List.of(
            Column.words("alert"), Column.number("precision"), Column.number("covered"),
            Column.number("in health"), Column.number("first"), Column.words("verdict")),
        rows, new Block.Rest("and %d alert more", "and %d alerts more"));
  }

  private Block.Row row(AlertScore score) {
    return Block.Row.words(
        score.alert(),
        score.firings() > 0 ? ScoreWords.percent(score.precision()) : "-",
        isExercised(score) ? ScoreWords.percent(score.time().coverage()) : "-",
        LengthOfTime.words(score.time().excused() + score.time().wrong()),
        first(score),
        says(score));
  }

  private String first(AlertScore score) {
    if (!ScoreWords.hasDelay(score)) {
      return "-";
    }
    double delay = score.delaySeconds(0.5);
    if (delay == 0) {
      return "at once";
    }
    return LengthOfTime.words(Math.abs(delay)) + (delay < 0 ? " early" : " late");
  }

  private String says(AlertScore score) {
    if (score.firings() == 0 && withoutSeries(runs()).containsKey(score.alert())) {
      return "no such series";
    }
    return isExercised(score) ? ScoreWords.says(score) : "not tested";
  }

  /** Each alert that has a selector without series in every run, and these selectors. */
  static Map<String, List<String>> withoutSeries(List<RunTimeline> runs) {
    Map<String, List<String>> without = new LinkedHashMap<>();
    runs.getFirst()
        .traits()
        .forEach(
            (alert, first) -> {
              List<String> everywhere = new ArrayList<>(first.withoutSeries());
              runs.forEach(run -> everywhere.retainAll(run.of(alert).withoutSeries()));
              if (!everywhere.isEmpty()) {
                without.put(alert, everywhere);
              }
            });
    return without;
  }

  /** When users suffered and when each alert fired, run by run, and how the alerts did. */
  private static Section account(Replay replay) {
    List<Block> blocks = new ArrayList<>();
    withoutSeries(replay.runs())
        .forEach(
            (alert, selectors) ->
                selectors.forEach(
                    selector ->
                        blocks.add(
                            ScoreBlocks.text(
                                alert + ": no series in these runs for " + selector
                                    + ": what it would do is not known"))));
    for (RunTimeline run : replay.runs()) {
      blocks.add(ScoreBlocks.text(run.run()));
      List<Block.Row> rows = times(run);
      if (!rows.isEmpty()) {
        List<Column> columns = List.of(Column.name(""), Column.words(""));
        blocks.add(new Block.Table("When alerts fired", false, columns, rows));
      }
    }
    blocks.add(ScoreBlocks.scores("", replay.scores()));
    String version = replay.version().text();
    return Section.of(
        "prometheus-" + version, "As Prometheus " + version + " would have fired:", blocks);
  }

  private static List<Block.Row> times(RunTimeline run) {
    List<Block.Row> rows = new ArrayList<>();
    for (Episode episode : run.episodes()) {
      rows.add(
          Block.Row.words(
              "users suffered",
              RunTimeline.clock(run.startOf(episode)) + " to "
                  + RunTimeline.clock(episode.endMillis())));
    }
    for (Firing firing : run.firings()) {
      boolean lasts = firing.resolvedMillis() == Firing.STILL;
      rows.add(
          Block.Row.words(
              "fired",
              RunTimeline.clock(firing.firedMillis()) + " to "
                  + (lasts ? "the end" : RunTimeline.clock(firing.resolvedMillis())) + " "
                  + firing.alert()));
    }
    return rows;
  }
}
