package tallystick.cli.alerting;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.AlertTraits;
import tallystick.alerting.backtest.Backtest;
import tallystick.alerting.backtest.Backtested;
import tallystick.alerting.backtest.Episode;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.answer.Invocation;
import tallystick.cli.CommandRun;
import tallystick.cli.FrozenWords;
import tallystick.promql.Firing;
import tallystick.promql.Labels;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.PromqlParser;
import tallystick.promql.RuleGroup;
import tallystick.report.screen.ScreenWriter;
import tallystick.report.screen.Terminal;

/** What a backtest says for each verdict, on the screen, whole, and for programs. */
class BacktestWordsTest {
  private static final long MINUTE = 60_000;
  private static final String RULES = "src/test/resources/golden/backtest/rules.yaml";

  @Test
  void alertsThatRunsPutToTheTest() throws IOException {
    List<Firing> firings =
        List.of(
            firing("Found", 21, 31), firing("After", 31, 32), firing("Late", 27, 30),
            firing("Loose", 20, 40), firing("Early", 10, 30), firing("Most", 0, 60));
    check(
        "told", List.of(run(List.of(new Episode(20 * MINUTE, 30 * MINUTE)), firings)),
        List.of("Found", "After", "Silent", "Gone", "Down", "Late", "Loose", "Early", "Most",
            "NoSeries"),
        List.of());
  }

  @Test
  void cautionsAndManyAlerts() throws IOException {
    List<String> alerts = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      alerts.add("Gone" + i);
    }
    alerts.add(0, "Found");
    check(
        "many",
        List.of(
            run(
                List.of(new Episode(20 * MINUTE, 30 * MINUTE)),
                List.of(firing("Found", 21, 31)))),
        alerts, List.of("the first caution", "the second caution", "the third"));
  }

  @Test
  void noAlert() throws IOException {
    check("no-alert", List.of(run(List.of(), List.of())), List.of(), List.of());
  }

  @Test
  void usersWhoDidNotSuffer() throws IOException {
    check(
        "no-suffering", List.of(run(List.of(), List.of(firing("Found", 1, 2)))),
        List.of("Found", "Silent"), List.of("simulated engine"));
  }

  @Test
  void usersWhoWereNeverWell() throws IOException {
    check(
        "never-well",
        List.of(
            run(List.of(new Episode(MINUTE / 2, 60 * MINUTE)), List.of(firing("Found", 1, 59)))),
        List.of("Found", "Silent", "Gone"), List.of());
  }

  @Test
  void healthThatBelongsToSuffering() throws IOException {
    check(
        "no-health",
        List.of(
            run(List.of(new Episode(MINUTE, 57 * MINUTE)), List.of(firing("Tailed", 1, 60)))),
        List.of("Tailed", "Gone"), List.of());
  }

  @Test
  void alertsOfWhichNoneWasPutToTheTest() throws IOException {
    check(
        "none-tested", List.of(run(List.of(new Episode(20 * MINUTE, 30 * MINUTE)), List.of())),
        List.of("Gone", "Down"), List.of());
  }

  @Test
  void theWholeAccountAndTheDocumentForPrograms() throws IOException {
    String[] typed = {"backtest", RULES, "reports/sample", "--evaluation-interval", "5s"};
    FrozenWords.check("backtest/sample", CommandRun.of(typed));
    System.setProperty("tally.columns", "120");
    try {
      CommandRun whole =
          CommandRun.of(
              "backtest", RULES, "reports/sample", "--evaluation-interval", "5s", "--verbose");
      FrozenWords.check(
          "backtest/sample-verbose",
          FrozenWords.account(whole.output()) + "\nexit " + whole.code());
    } finally {
      System.clearProperty("tally.columns");
    }
    FrozenWords.checkJson(
        "backtest/sample",
        CommandResult.of(
                new BacktestCommand(), RULES, "reports/sample", "--evaluation-interval", "5s",
                "--json")
            .out());
  }

  private static void check(
      String name, List<RunTimeline> runs, List<String> alerts, List<String> cautions)
      throws IOException {
    List<RuleGroup.Rule> rules =
        alerts.stream()
            .<RuleGroup.Rule>map(
                alert ->
                    new RuleGroup.Alert(alert, PromqlParser.parse("up == 0"), 0, 0, Map.of()))
            .toList();
    List<AlertScore> scores = Backtest.scores(List.of(new RuleGroup("g", 0, rules)), runs);
    FrozenWords.check("backtest/" + name, screen(runs, scores, cautions));
  }

  private static String screen(
      List<RunTimeline> runs, List<AlertScore> scores, List<String> cautions) {
    Backtested.Replay replay =
        new Backtested.Replay(PrometheusVersion.V2_42, runs, scores);
    Backtested backtested =
        new Backtested(
            "r.yaml", "reports/run", cautions, false, Set.of(), List.of(replay), List.of());
    return ScreenWriter.text(
        backtested.answer(new Invocation(List.of(), "")), Terminal.PLAIN);
  }

  /** An hour. */
  private static RunTimeline run(List<Episode> episodes, List<Firing> firings) {
    Map<String, AlertTraits> traits = new java.util.LinkedHashMap<>();
    for (String alert : List.of("Found", "Silent", "Late", "Loose", "Early", "Most")) {
      traits.put(alert, new AlertTraits(MINUTE, List.of(), true));
    }
    traits.put("After", new AlertTraits(MINUTE, List.of(), false));
    traits.put("Tailed", new AlertTraits(10 * MINUTE, List.of(), true));
    traits.put("NoSeries", new AlertTraits(MINUTE, List.of("vllm:no_such_thing"), false));
    return new RunTimeline(
        "run", episodes, List.of(), firings, 0, 60 * MINUTE, MINUTE / 2, traits);
  }

  private static Firing firing(String alert, long from, long to) {
    return new Firing(alert, Labels.EMPTY, from * MINUTE, from * MINUTE, to * MINUTE);
  }
}
