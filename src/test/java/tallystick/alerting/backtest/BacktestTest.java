package tallystick.alerting.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.alerting.derivation.ClientCounts.Count;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.promql.Firing;
import tallystick.promql.Labels;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.PromqlParser;
import tallystick.promql.RuleGroup;
import tallystick.promql.SeriesStore;
import tallystick.scenario.Objective;

class BacktestTest {
  private static final Backtest.Conditions CONDITIONS =
      Backtest.Conditions.usual(
          new Objective(Objective.Metric.TTFT, 0.25, 0.99, ""), PrometheusVersion.values()[0],
          Map.of());

  private static final long MINUTE = 60_000;
  private static final Count GOOD = new Count(100, 100);
  private static final Count BAD = new Count(100, 50);
  private static final Count NOBODY = new Count(0, 0);

  /** Sixty to the sixth parts fit no memory. */
  @Test
  void aRecordingThatReadsItselfManyTimesIsSeenThroughOnlySoFar() {
    String sum = String.join(" + ", Collections.nCopies(60, "r"));
    RuleGroup group =
        new RuleGroup(
            "g", MINUTE,
            List.of(
                new RuleGroup.Recording("r", PromqlParser.parse(sum), Map.of()),
                new RuleGroup.Alert("A", PromqlParser.parse("r > 1"), 0, 0, Map.of())));
    assertThat(
            AlertTraits.of(List.of(group), new SeriesStore(), MINUTE, CONDITIONS.objective()))
        .containsOnlyKeys("A");
  }

  @Test
  void violatedWindowsWithoutAGapAreOneEpisodeAndALoneOneIsAnother() {
    List<Count> counts = List.of(GOOD, BAD, BAD, NOBODY, BAD, GOOD, GOOD, BAD, BAD);
    assertThat(Episode.of(new ClientCounts(0, MINUTE, counts), 0.99))
        .containsExactly(
            new Episode(2 * MINUTE, 3 * MINUTE),
            new Episode(5 * MINUTE, 5 * MINUTE),
            new Episode(8 * MINUTE, 9 * MINUTE));
  }

  @Test
  void eachEpisodeCountsOnceAndEachFarFiringIsFalse() {
    List<Episode> episodes = List.of(new Episode(20 * MINUTE, 25 * MINUTE), episodeAt(60));
    List<Firing> firings =
        List.of(firing(2, 3), firing(21, 22), firing(23, 28), firing(100, Firing.STILL));
    AlertScore score = score(episodes, firings);
    assertThat(score.all()).isEqualTo(new AlertScore.Hits(2, 1));
    assertThat(score.recall()).isEqualTo(0.5);
    assertThat(score.falseFirings()).isEqualTo(2);
    assertThat(score.time().covered()).isEqualTo(60 + 120);
    assertThat(score.time().excused()).isZero();
    assertThat(score.time().wrong()).isEqualTo(60 + 3 * 60 + 20 * 60);
    // From 19:30, where its first bad window begins, to 21:00.
    assertThat(score.delaysSeconds()).containsExactly(90.0);
  }

  @Test
  void healthIsWhatLiesFiveMinutesAwayFromEveryEpisode() {
    List<Episode> episodes =
        List.of(new Episode(20 * MINUTE, 25 * MINUTE), episodeAt(32), episodeAt(60));
    AlertScore score = score(episodes, List.of(firing(2, 3), firing(64, 70)));
    assertThat(score.health())
        .isEqualTo(new AlertScore.Health((15 + (55 - 37.5) + (120 - 65.5)) * 60, 3, 2));
  }

  @Test
  void anAlertThatHasNotStoppedFindsTheNextEpisodeWithoutADelay() {
    AlertScore score =
        score(List.of(episodeAt(10), episodeAt(12), episodeAt(60)), List.of(firing(11, 70)));
    assertThat(score.all()).isEqualTo(new AlertScore.Hits(3, 3));
    assertThat(score.delaysSeconds()).containsExactly(90.0);
  }

  @Test
  void aLoneBadWindowMustBeFoundButIsCountedApart() {
    Episode lone = new Episode(10 * MINUTE, 10 * MINUTE);
    AlertScore score = score(List.of(lone, new Episode(60 * MINUTE, 90 * MINUTE)), List.of());
    assertThat(score.all()).isEqualTo(new AlertScore.Hits(2, 0));
    assertThat(score.sustained()).isEqualTo(new AlertScore.Hits(1, 0));
    assertThat(score(List.of(lone), List.of(firing(12, 13))).falseFirings()).isZero();
  }

  @Test
  void silenceInHealthBoundsTheRateByThreeOverTheTime() {
    AlertScore silent = score(List.of(), List.of());
    assertThat(silent.falsePerDayBound()).isCloseTo(2.9957 * 12, within(1e-2));
    assertThat(silent.falsePerDay()).isZero();
    assertThat(silent.precision()).isNaN();
  }

  @Test
  void whatAlwaysFiresIsRightAsOftenAsUsersSuffer() {
    List<Episode> episodes =
        List.of(new Episode(20 * MINUTE, 30 * MINUTE), new Episode(32 * MINUTE, 40 * MINUTE));
    AlertScore always = score(episodes, List.of(firing(0, Firing.STILL)), 60);
    double suffering = (10.5 + 8.5) / 120;
    assertThat(always.precision()).isCloseTo(suffering, within(1e-12));
    assertThat(always.time().coverage()).isEqualTo(1);
    assertThat(always.time().inHealth()).isEqualTo(1);
  }

  @Test
  void aCounterThatNeverResolvesIsWrongFromTheEndOfItsTail() {
    List<Episode> episodes = List.of(new Episode(20 * MINUTE, 30 * MINUTE));
    AlertScore score = score(episodes, List.of(firing(20, Firing.STILL)), 6);
    assertThat(score.precision()).isCloseTo(10 / 100.0, within(1e-12));
  }

  @Test
  void aFiringThatResolvesWithinItsTailIsRight() {
    List<Episode> episodes = List.of(new Episode(20 * MINUTE, 30 * MINUTE));
    AlertScore score = score(episodes, List.of(firing(22, 35)), 6);
    assertThat(score.precision()).isEqualTo(1);
    assertThat(score.time().coverage()).isCloseTo(8 / 10.5, within(1e-12));
    assertThat(score.time().inHealth()).isCloseTo(5 / 109.5, within(1e-12));
    assertThat(score.time().resolve()).containsExactly(300.0);
    assertThat(score.firingsPerDay()).isCloseTo(12, within(1e-12));
  }

  /** Who suffers until the run ends is not seen to be well again: that took no 0 s. */
  @Test
  void aFiringThatTheRunCutsOffTellsNothingOfHowLongItStaysOn() {
    List<Episode> toTheEnd = List.of(new Episode(100 * MINUTE, 120 * MINUTE));
    assertThat(score(toTheEnd, List.of(firing(101, 120)), 6).time().resolve()).isEmpty();
    List<Episode> before = List.of(new Episode(20 * MINUTE, 30 * MINUTE));
    assertThat(score(before, List.of(firing(20, Firing.STILL)), 6).time().resolve()).isEmpty();
  }

  @Test
  void anEarlyFiringIsExcusedForFiveMinutes() {
    List<Episode> episodes = List.of(new Episode(20 * MINUTE, 30 * MINUTE));
    assertThat(score(episodes, List.of(firing(16, 31)), 6).time().wrong()).isZero();
    assertThat(score(episodes, List.of(firing(10, 31)), 6).time().wrong()).isEqualTo(9.5 * 60 + 60);
  }

  @Test
  void aFiringWhereNobodyCanTellCountsNowhere() {
    List<Episode> episodes = List.of(new Episode(20 * MINUTE, 30 * MINUTE));
    List<Episode> unclear = List.of(new Episode(50 * MINUTE, 60 * MINUTE));
    FiringTime time = score(episodes, unclear, List.of(firing(55, 65)), 0).time();
    assertThat(time.healthy()).isEqualTo((120 - 2 * 10.5) * 60);
    assertThat(time.wrong()).isEqualTo(5 * 60);
  }

  @Test
  void whoWaitsPastTheLimitSuffersBeforeTheTokenComes() {
    Count hang = new Count(0, 0, 20);
    Count few = new Count(98, 98, 2);
    Count one = new Count(99, 99, 1);
    List<Count> counts = List.of(GOOD, new Count(40, 40, 20), hang, BAD, GOOD, few, one);
    ClientCounts client = new ClientCounts(0, MINUTE, counts);
    assertThat(Episode.of(client, 0.99)).containsExactly(new Episode(2 * MINUTE, 4 * MINUTE));
    assertThat(Episode.unclear(client, 0.99)).containsExactly(new Episode(6 * MINUTE, 6 * MINUTE));
  }

  @ParameterizedTest
  @CsvSource({
    "rate(x[1h]) > 1 and rate(x[5m]) > 1, 5",
    "(rate(x[1h]) > 1 and rate(x[5m]) > 1) or (rate(x[6h]) > 1 and rate(x[30m]) > 1), 30",
    "rate(x[1h]) > 1 and on () up == 1, 60",
    "x > 1, 0",
    "max_over_time(rate(x[5m])[10m:1m]) > 1, 15"
  })
  void anAlertRemembersWhatItsRangesHold(String expression, long minutes) {
    assertThat(AlertTraits.memoryMillis(PromqlParser.parse(expression)))
        .isEqualTo(minutes * MINUTE);
  }

  @Test
  void aSelectorWithoutSeriesIsNamed() {
    SeriesStore store = new SeriesStore();
    store.append(Labels.of(Map.of(Labels.NAME, "here")), 0, 1);
    RuleGroup group =
        new RuleGroup(
            "g", 0,
            List.of(
                new RuleGroup.Recording("r", PromqlParser.parse("rate(gone[5m])"), Map.of()),
                new RuleGroup.Alert(
                    "A", PromqlParser.parse("here > 0 and r > 1 or absent(far)"), 0, 0, Map.of())));
    AlertTraits traits = traits(group, store).get("A");
    assertThat(traits.withoutSeries()).containsExactly("gone");
    RunTimeline run =
        new RunTimeline(
            "run", List.of(), List.of(), List.of(), 0, MINUTE, 30_000, Map.of("A", traits));
    assertThat(Backtested.withoutSeries(List.of(run))).isEqualTo(Map.of("A", List.of("gone")));
  }

  @ParameterizedTest
  @CsvSource({
    "'histogram_quantile(0.95, rate(vllm:time_to_first_token_seconds_bucket[5m])) > 1', true",
    "'rate(vllm_time_to_first_token_seconds_bucket{le=\"0.25\"}[5m]) < 1', true",
    "'increase(vllm:time_to_first_token_seconds_count[2m]) == 0', false",
    "'rate(vllm:inter_token_latency_seconds_bucket[5m]) < 1', false",
    "up == 0, false", "vllm:num_requests_waiting > 9, false"
  })
  void anAlertOnWhatTheObjectiveIsAboutMustFireWhereUsersSuffer(String condition, boolean must) {
    RuleGroup group =
        new RuleGroup(
            "g", 0,
            List.of(new RuleGroup.Alert("A", PromqlParser.parse(condition), 0, 0, Map.of())));
    AlertTraits traits = traits(group, new SeriesStore()).get("A");
    assertThat(traits.isOfUsers()).isEqualTo(must);
    RunTimeline run =
        new RunTimeline(
            "run", List.of(episodeAt(5)), List.of(), List.of(), 0, 9 * MINUTE, 30_000,
            Map.of("A", traits));
    assertThat(run.exercises("A")).isEqualTo(must);
  }

  private static Episode episodeAt(int minute) {
    return new Episode(minute * MINUTE, minute * MINUTE + 30_000);
  }

  private static Firing firing(long fromMinute, long toMinute) {
    long end = toMinute == Firing.STILL ? Firing.STILL : toMinute * MINUTE;
    return new Firing("A", Labels.EMPTY, fromMinute * MINUTE, fromMinute * MINUTE, end);
  }

  private static AlertScore score(List<Episode> episodes, List<Firing> firings) {
    return score(episodes, firings, 0);
  }

  private static AlertScore score(
      List<Episode> episodes, List<Firing> firings, long tailMinutes) {
    return score(episodes, List.of(), firings, tailMinutes);
  }

  private static AlertScore score(
      List<Episode> episodes, List<Episode> unclear, List<Firing> firings, long tailMinutes) {
    RuleGroup.Alert alert =
        new RuleGroup.Alert("A", PromqlParser.parse("up == 0"), 0, 0, Map.of());
    RuleGroup group = new RuleGroup("g", 0, List.of(alert));
    RunTimeline run =
        new RunTimeline(
            "run", episodes, unclear, firings, 0, 120 * MINUTE, 30_000,
            Map.of("A", new AlertTraits(tailMinutes * MINUTE, List.of(), false)));
    return Backtest.scores(List.of(group), List.of(run)).getFirst();
  }

  private static Map<String, AlertTraits> traits(RuleGroup group, SeriesStore store) {
    return AlertTraits.of(
        List.of(group), store, CONDITIONS.evaluationMillis(), CONDITIONS.objective());
  }
}
