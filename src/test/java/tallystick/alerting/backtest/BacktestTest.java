package tallystick.alerting.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.alerting.derivation.ClientCounts.Count;
import tallystick.analysis.prometheus.Firing;
import tallystick.analysis.prometheus.Labels;
import tallystick.analysis.prometheus.PromqlParser;
import tallystick.analysis.prometheus.RuleGroup;

class BacktestTest {
  private static final long MINUTE = 60_000;
  private static final Count GOOD = new Count(100, 100);
  private static final Count BAD = new Count(100, 50);
  private static final Count NOBODY = new Count(0, 0);

  @Test
  void violatedWindowsUpToFiveMinutesApartAreOneEpisode() {
    List<Count> counts = new ArrayList<>(List.of(GOOD, BAD, NOBODY, GOOD, BAD));
    for (int i = 0; i < 5; i++) {
      counts.add(GOOD);
    }
    counts.add(BAD);
    assertThat(Episode.of(new ClientCounts(0, MINUTE, counts), 0.99))
        .containsExactly(
            new Episode(2 * MINUTE, 5 * MINUTE), new Episode(11 * MINUTE, 11 * MINUTE));
  }

  @Test
  void eachEpisodeCountsOnceAndEachFarFiringIsFalse() {
    List<Episode> episodes = List.of(new Episode(20 * MINUTE, 25 * MINUTE), episodeAt(60));
    List<Firing> firings =
        List.of(firing(2, 3), firing(21, 22), firing(23, 28), firing(100, Firing.STILL));
    AlertScore score = score(episodes, firings);
    assertThat(score.found()).isEqualTo(1);
    assertThat(score.recall()).isEqualTo(0.5);
    assertThat(score.falseFirings()).isEqualTo(2);
    assertThat(score.precision()).isCloseTo(1 / 3.0, within(1e-12));
    assertThat(score.delaysSeconds()).containsExactly(60.0);
    assertThat(score.timing()).isEqualTo("coincident");
    assertThat(score.healthySeconds()).isEqualTo((120 - 15 - 10.5) * 60.0);
  }

  @Test
  void anAlertThatHasNotStoppedFindsTheNextEpisodeWithoutADelay() {
    AlertScore score = score(List.of(episodeAt(10), episodeAt(60)), List.of(firing(11, 70)));
    assertThat(score.found()).isEqualTo(2);
    assertThat(score.delaysSeconds()).containsExactly(60.0);
  }

  @Test
  void aLoneBadWindowNeedNotBeFoundAndExcusesAFiringNearIt() {
    Episode lone = new Episode(10 * MINUTE, 10 * MINUTE);
    assertThat(score(List.of(lone), List.of()).episodes()).isZero();
    assertThat(score(List.of(lone), List.of(firing(12, 13))).falseFirings()).isZero();
  }

  @Test
  void silenceInHealthBoundsTheRateByThreeOverTheTime() {
    AlertScore silent = new AlertScore("A", 0, 0, 0, 0, List.of(), 86_400);
    assertThat(silent.falsePerDayBound()).isCloseTo(2.9957, within(1e-4));
    assertThat(silent.falsePerDay()).isZero();
    assertThat(silent.precision()).isNaN();
    assertThat(silent.timing()).isEqualTo("unknown");
  }

  private static Episode episodeAt(int minute) {
    return new Episode(minute * MINUTE, minute * MINUTE + 30_000);
  }

  private static Firing firing(long fromMinute, long toMinute) {
    long end = toMinute == Firing.STILL ? Firing.STILL : toMinute * MINUTE;
    return new Firing("A", Labels.EMPTY, fromMinute * MINUTE, fromMinute * MINUTE, end);
  }

  private static AlertScore score(List<Episode> episodes, List<Firing> firings) {
    RuleGroup.Alert alert =
        new RuleGroup.Alert("A", PromqlParser.parse("up == 0"), 0, 0, Map.of());
    RuleGroup group = new RuleGroup("g", 0, List.of(alert));
    Backtest.RunTimeline run =
        new Backtest.RunTimeline("run", episodes, firings, 120 * MINUTE);
    return Backtest.scores(List.of(group), List.of(run)).getFirst();
  }
}
