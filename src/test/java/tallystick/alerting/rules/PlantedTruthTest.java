package tallystick.alerting.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.alerting.RehearsedRuns;
import tallystick.alerting.RehearsedRuns.Mix;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.Backtest;
import tallystick.alerting.backtest.BacktestText;
import tallystick.analysis.prometheus.PrometheusVersion;
import tallystick.runrecord.RunRows;

/** The derived alerts on seeds and a mix they have never seen, and on health alone. */
@Tag("stress")
class PlantedTruthTest {
  private static RuleSet rules;

  @BeforeAll
  static void deriveOnce() {
    rules =
        RuleBook.of(
            AlertDerivation.derive(
                RehearsedRuns.twoMixes(3, true), AlertRequest.usual(RehearsedRuns.OBJECTIVE)));
  }

  @ParameterizedTest
  @EnumSource(Mix.class)
  void theDerivedThresholdFindsWhatUsersFeelOnSeedsAndMixesItHasNotSeen(Mix mix) {
    List<AlertScore> scores = scores(rules, mix);
    System.out.print(mix + "\n" + BacktestText.scores(scores));
    assertGood(scores, "VLLMTTFTObjectiveMissed");
  }

  /**
   * Each of three mixes left out in turn: thresholds of the other two are judged on it. What moves
   * too much from mix to mix is refused, which is an answer too; a bad alert is none.
   */
  @ParameterizedTest
  @EnumSource(names = {"LONG_PROMPTS", "LONG_ANSWERS", "EVEN"})
  void aMixLeftOutIsJudgedByTheOthers(Mix left) {
    List<DerivationRun> others = new ArrayList<>();
    for (Mix mix : List.of(Mix.LONG_PROMPTS, Mix.LONG_ANSWERS, Mix.EVEN)) {
      for (int seed = 1; seed <= 3 && mix != left; seed++) {
        others.add(DerivationRun.of(RehearsedRuns.thorough(mix, seed), true));
      }
    }
    DerivedAlerts derived =
        AlertDerivation.derive(others, AlertRequest.usual(RehearsedRuns.OBJECTIVE));
    List<AlertScore> scores = scores(RuleBook.of(derived), left);
    System.out.print("without " + left + "\n" + OutcomeText.of(derived));
    System.out.print(BacktestText.scores(scores));
    String alert = "VLLMTTFTObjectiveMissed";
    if (scores.stream().anyMatch(score -> score.alert().equals(alert))) {
      assertGood(scores, alert);
    } else {
      assertThat(OutcomeText.of(derived)).containsPattern("bad_ratio +unstable");
    }
  }

  @Test
  void aHealthyDayHasNoPage() {
    Backtest.RunTimeline day = replay(rules, RehearsedRuns.healthy(Mix.EVEN, 21, 24));
    assertThat(day.episodes()).isEmpty();
    assertThat(day.firings())
        .noneMatch(firing -> firing.labels().get("severity").equals("page"));
  }

  private static void assertGood(List<AlertScore> scores, String alert) {
    AlertScore score =
        scores.stream().filter(s -> s.alert().equals(alert)).findFirst().orElseThrow();
    assertThat(score.precision()).as(score.toString()).isGreaterThanOrEqualTo(0.95);
    assertThat(score.recall()).as(score.toString()).isGreaterThanOrEqualTo(0.9);
  }

  private static List<AlertScore> scores(RuleSet judged, Mix mix) {
    List<Backtest.RunTimeline> runs = new ArrayList<>();
    for (int seed = 14; seed <= 16; seed++) {
      runs.add(replay(judged, RehearsedRuns.thorough(mix, seed)));
    }
    return Backtest.scores(judged.evaluable(), runs);
  }

  private static Backtest.RunTimeline replay(RuleSet judged, RunRows rows) {
    Backtest.Conditions conditions =
        new Backtest.Conditions(
            RehearsedRuns.OBJECTIVE, 15_000, 15_000, 0, PrometheusVersion.V2_42,
            Map.of("cluster", "test"));
    return Backtest.replay(judged.evaluable(), rows, conditions);
  }
}
