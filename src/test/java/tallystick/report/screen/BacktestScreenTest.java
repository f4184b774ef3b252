package tallystick.report.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.AlertTraits;
import tallystick.alerting.backtest.Backtest;
import tallystick.alerting.backtest.Episode;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.promql.Firing;
import tallystick.promql.Labels;
import tallystick.promql.PromqlParser;
import tallystick.promql.RuleGroup;

class BacktestScreenTest {
  private static final long MINUTE = 60_000;
  private static final List<String> ALERTS = List.of("Found", "After", "Silent", "Gone", "Down");

  /** Users suffer from minute 20 to 30 of an hour. */
  private static final RunTimeline RUN =
      new RunTimeline(
          "run", List.of(new Episode(20 * MINUTE, 30 * MINUTE)), List.of(),
          List.of(firing("Found", 21, 31), firing("After", 31, 32)), 0, 60 * MINUTE, 30_000,
          Map.of(
              "Found", new AlertTraits(MINUTE, List.of(), true),
              "After", new AlertTraits(MINUTE, List.of(), false),
              "Silent", new AlertTraits(MINUTE, List.of(), true),
              "Gone", new AlertTraits(MINUTE, List.of(), false),
              "Down", new AlertTraits(MINUTE, List.of(), false)));

  @Test
  void countsTheAlertsThatTheRunsPutToTheTestAndNamesTheOthers() {
    String text = text(ALERTS).replaceAll("\\s+", " ");
    assertThat(text)
        .contains("1 of 3 alerts that these runs put to the test can be trusted")
        .contains("not put to the test, because nothing they watch for was seen: Gone, Down");
  }

  @Test
  void anAlertThatCoversNothingIsNotLate() {
    assertThat(text(ALERTS))
        .containsPattern("Found +100.0 % .* 60 s late +good here")
        .containsPattern("After .* 0.0 % .* - +misses")
        .containsPattern("Silent +- +0.0 % .* - +never fired")
        .containsPattern("Gone +- +- .* - +not tested");
  }

  @Test
  void alertsOfWhichNoneIsPutToTheTestCannotBeTold() {
    assertThat(text(List.of("Gone", "Down")).replaceAll("\\s+", " "))
        .contains("cannot tell: no alert fired, and none reads what users waited for");
  }

  private static String text(List<String> alerts) {
    List<RuleGroup.Rule> rules =
        alerts.stream()
            .<RuleGroup.Rule>map(
                name ->
                    new RuleGroup.Alert(name, PromqlParser.parse("up == 0"), 0, 0, Map.of()))
            .toList();
    List<AlertScore> scores =
        Backtest.scores(List.of(new RuleGroup("g", 0, rules)), List.of(RUN));
    BacktestScreen screen = new BacktestScreen(List.of(RUN), scores);
    return Screen.text(room -> screen.of("r.yaml", List.of(), room), Terminal.PLAIN);
  }

  private static Firing firing(String alert, long from, long to) {
    return new Firing(alert, Labels.EMPTY, from * MINUTE, from * MINUTE, to * MINUTE);
  }
}
