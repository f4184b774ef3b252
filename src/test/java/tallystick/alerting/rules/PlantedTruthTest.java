package tallystick.alerting.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

  @Test
  void derivedAlertsFindWhatUsersFeelOnHeldOutSeedsAndAHeldOutMix() {
    List<RunRows> heldOut = new ArrayList<>();
    for (Mix mix : Mix.values()) {
      heldOut.add(RehearsedRuns.thorough(mix, 11));
      heldOut.add(RehearsedRuns.thorough(mix, 12));
    }
    List<Backtest.RunTimeline> runs = heldOut.stream().map(this::replay).toList();
    List<AlertScore> scores = Backtest.scores(rules.evaluable(), runs);
    System.out.print(BacktestText.scores(scores));
    for (String name : List.of("VLLMHighTTFT", "VLLMTTFTBudgetBurnPage")) {
      AlertScore score =
          scores.stream().filter(s -> s.alert().equals(name)).findFirst().orElseThrow();
      String shown = BacktestText.timelines(runs) + BacktestText.scores(scores);
      assertThat(score.precision()).as(shown).isGreaterThanOrEqualTo(0.95);
      assertThat(score.recall()).as(shown).isGreaterThanOrEqualTo(0.9);
    }
  }

  @Test
  void aHealthyDayHasNoPage() {
    Backtest.RunTimeline day = replay(RehearsedRuns.healthy(Mix.EVEN, 21, 24));
    assertThat(day.episodes()).isEmpty();
    assertThat(day.firings())
        .noneMatch(firing -> firing.labels().get("severity").equals("page"));
  }

  private Backtest.RunTimeline replay(RunRows rows) {
    Backtest.Conditions conditions =
        new Backtest.Conditions(
            RehearsedRuns.OBJECTIVE, 15_000, 15_000, 30_000, PrometheusVersion.V2_42,
            Map.of("cluster", "test"));
    return Backtest.replay(rules.evaluable(), rows, conditions);
  }
}
