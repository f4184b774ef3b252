package tallystick.alerting.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tallystick.alerting.RuleFile;
import tallystick.alerting.watch.WatchedFirings.Kind;
import tallystick.analysis.result.Strength;
import tallystick.promql.Firing;
import tallystick.promql.Labels;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.PromqlParser;
import tallystick.promql.RuleReplay;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;

/** What comes out of two days that are known. */
class WatchTest {
  private static final long END = MadeHistory.START + 2 * MadeHistory.DAY;
  private static final MadeHistory HISTORY = MadeHistory.twoDays();
  private static Watched watched;

  @BeforeAll
  static void watch() throws Exception {
    watched = watch(MadeHistory.RULES, 2 * MadeHistory.DAY, Optional.empty());
  }

  private static Watched watch(String text, long length, Optional<Sli> sli) throws Exception {
    List<Double> progress = new ArrayList<>();
    Watched found =
        new Watch(HISTORY, rules(text), END, length, progress::add).of("http://p", sli, List.of());
    assertThat(progress).isSorted().last().isEqualTo(1.0);
    return found;
  }

  private static WatchedRules rules(String text) {
    return WatchedRules.of(RuleFile.read("rules.yaml", text), text, 30_000);
  }

  @Test
  void whatARecordingRecordsStandsInItsPlaceAndFiresAlike() {
    List<Firing> replayed =
        new RuleReplay(
                copy(), PrometheusVersion.V2_42,
                RuleFile.read("rules.yaml", MadeHistory.RULES).evaluable())
            .run(MadeHistory.START + 30_000, END, 30_000);

    // The one in the gap is of a Prometheus that did not look.
    assertThat(times("Missed")).hasSize(1);
    for (String alert : List.of("Missed", "Queue")) {
      assertThat(times(alert))
          .as(alert)
          .extracting(WatchedFirings.Time::fromMillis)
          .isEqualTo(
              replayed.stream()
                  .filter(one -> one.alert().equals(alert))
                  .map(Firing::firedMillis)
                  .toList());
    }
  }

  private static SeriesStore copy() {
    SeriesStore copy = new SeriesStore();
    for (StoredSeries series : HISTORY.store().all()) {
      for (int i = 0; i < series.size(); i++) {
        copy.append(series.labels(), series.millis(i), series.value(i));
      }
    }
    return copy;
  }

  private static List<WatchedFirings.Time> times(String alert) {
    return firings(watched, alert).times();
  }

  private static WatchedFirings firings(Watched from, String alert) {
    return from.firings().stream().filter(one -> one.alert().equals(alert)).findFirst().get();
  }

  @Test
  void usersSufferedOnceAndTheAlertFoundThem() {
    WatchedFirings missed = firings(watched, "Missed");

    assertThat(missed.episodes()).isEqualTo(1);
    assertThat(missed.found()).isEqualTo(1);
    assertThat(missed.of(Kind.RIGHT)).hasSize(1);
    assertThat(missed.times().getFirst().fromMillis() - MadeHistory.START)
        .isBetween(12 * MadeHistory.HOUR, 12 * MadeHistory.HOUR + 120_000);
    // Two days, without twenty minutes of suffering, forty without samples, and what surrounds it.
    assertThat(watched.users().seconds(Users.State.SUFFERING)).isEqualTo(1500, within(300.0));
    assertThat(watched.users().seconds(Users.State.WELL)).isEqualTo(168_900, within(1200.0));
    assertThat(missed.mostFalsePerDay())
        .isEqualTo(3 / (missed.healthySeconds() / 86_400), within(0.01));
  }

  @Test
  void theSignalLeftItsStudyOnTheSecondDay() {
    Envelope queue = watched.envelopes().getFirst();

    assertThat(watched.envelopes()).hasSize(1);
    assertThat(queue.alert()).isEqualTo("Queue");
    assertThat(queue.days()).hasSize(2);
    assertThat(queue.days().getFirst().above()).isZero();
    assertThat(queue.days().get(queue.outsideSince()).day()).isEqualTo("2023-11-15");
    assertThat(queue.since(1).above()).isGreaterThan(0.95);
    assertThat(queue.allowed()).isEqualTo(0.1);
    WatchEnd end = watched.end();
    assertThat(end).isInstanceOf(WatchEnd.Stale.class);
    assertThat(end.strength()).isEqualTo(Strength.SURE);
  }

  @Test
  void aQuantileInTheBucketOfWhatTheStudySawIsNotAboveIt() throws Exception {
    SeriesStore coarse = new SeriesStore();
    for (StoredSeries series : HISTORY.store().all()) {
      boolean isFine = series.labels().get("le").equals("0.3");
      for (int i = 0; i < series.size() && !isFine; i++) {
        coarse.append(series.labels(), series.millis(i), series.value(i));
      }
    }
    Watched found =
        new Watch(
                new MadeHistory(coarse), rules(MadeHistory.RULES), END, 2 * MadeHistory.DAY,
                done -> {})
            .of("http://p", Optional.empty(), List.of());

    Envelope.Day whole = found.envelopes().getFirst().whole();
    assertThat(whole.above()).isZero();
    assertThat(whole.unclear()).isGreaterThan(0.95); // 0.95 of 0 to 0.5, and 0.3 is in there too
    assertThat(found.envelopes().getFirst().isTooCoarse()).isTrue();
    assertThat(found.end()).isInstanceOf(WatchEnd.Holds.class);
    assertThat(found.end().strength()).isEqualTo(Strength.TOO_CLOSE);
  }

  @Test
  void theMixChangedWithIt() {
    Traffic traffic = watched.traffic();

    assertThat(traffic.together("2023-11-15", false).orElseThrow().promptTokens())
        .isEqualTo(400, within(1.0));
    assertThat(traffic.together("2023-11-15", true).orElseThrow().promptTokens())
        .isEqualTo(1900, within(30.0));
    assertThat(traffic.days().getLast().peakPerSecond()).isEqualTo(2, within(0.05));
  }

  @Test
  void timeWithoutSamplesIsNeitherHealthNorFiring() throws Exception {
    assertThat(watched.seen().gaps()).hasSize(1);
    assertThat(watched.seen().gaps().getFirst().seconds()).isEqualTo(2100, within(120.0));
    assertThat(watched.seen().missingAtFirst()).isZero();
    Watched longer = watch(MadeHistory.RULES, 3 * MadeHistory.DAY, Optional.empty());
    assertThat(longer.seen().missingAtFirst()).isEqualTo(86_400, within(120.0));
    assertThat(longer.users().seconds(Users.State.WELL))
        .isEqualTo(watched.users().seconds(Users.State.WELL), within(600.0));
  }

  @Test
  void anAlertThatFiresWhileUsersAreWellIsFalse() throws Exception {
    String rules =
        """
        groups:
        - name: g
          rules:
          - alert: Long
            expr: sum by (model_name) (rate(vllm:request_prompt_tokens_sum[5m])) > 2000
          - alert: Typo
            expr: vllm_request_prompt_tokens_sum > 1
        """;
    String share =
        "1 - sum by (model_name) (rate(vllm:time_to_first_token_seconds_bucket{le=\"1.0\"}[5m]))"
            + " / sum by (model_name) (rate(vllm:time_to_first_token_seconds_count[5m]))";
    Sli sli = Sli.of("by --sli", 0.99, PromqlParser.parse(share));
    Watched found = watch(rules, 2 * MadeHistory.DAY, Optional.of(sli));

    assertThat(firings(found, "Long").of(Kind.FALSE)).hasSize(1);
    assertThat(firings(found, "Long").of(Kind.FALSE).getFirst().lasts()).isTrue();
    assertThat(found.end()).isInstanceOf(WatchEnd.FalseAlarms.class);
    assertThat(found.missing())
        .isEqualTo(
            Map.of("vllm_request_prompt_tokens_sum", "vllm:request_prompt_tokens_sum"));
    assertThat(firings(found, "Typo").withoutSeries()).hasSize(1);
    // That there is none needs a longer time.
    assertThat(watch(rules, MadeHistory.HOUR / 2, Optional.of(sli)).end())
        .isInstanceOf(WatchEnd.FalseAlarms.class);
  }

  @Test
  void whatFiresFarFromSufferingIsFalseThoughItTouchesSuffering() throws Exception {
    String rules =
        """
        groups:
        - name: g
          rules:
          - {alert: Always, expr: 'vector(1)'}
          - {alert: Hour, expr: 'vector(1) and on() (hour() == 12)'}
        """;
    String bad =
        "(1 - sum(rate(vllm:time_to_first_token_seconds_bucket{le=\"1.0\"}[5m]))"
            + " / sum(rate(vllm:time_to_first_token_seconds_count[5m])))";
    Sli sli = Sli.of("by --sli", 0.99, PromqlParser.parse(bad));
    SeriesStore store = new SeriesStore(); // no up: the alerts name no series of their own
    for (StoredSeries series : HISTORY.store().all()) {
      for (int i = 0; i < series.size() && !series.labels().name().equals("up"); i++) {
        store.append(series.labels(), series.millis(i), series.value(i));
      }
    }
    Watched found =
        new Watch(
                new MadeHistory(store), rules(rules), END, 2 * MadeHistory.DAY, done -> {})
            .of("http://p", Optional.of(sli), List.of());

    assertThat(found.seen().seconds()).isGreaterThan(160_000);
    assertThat(firings(found, "Always").of(Kind.FALSE)).isNotEmpty();
    // Half of the first day's is near the suffering; the rest, and the second day's, is not.
    assertThat(firings(found, "Hour").of(Kind.FALSE)).hasSize(2);
    WatchEnd end = found.end();
    assertThat(end).isInstanceOf(WatchEnd.FalseAlarms.class);
    assertThat(end.strength()).isEqualTo(Strength.SURE);
    assertThat(end.accused()).containsExactly("Always", "Hour");
  }

  @Test
  void withoutAnSliItIsNotKnownHowUsersFared() throws Exception {
    Watched found =
        watch(
            "groups: [{name: g, rules: [{alert: A, expr: 'vector(1)'}]}]", MadeHistory.DAY,
            Optional.empty());

    assertThat(firings(found, "A").of(Kind.NOT_KNOWN)).hasSameSizeAs(firings(found, "A").times())
        .isNotEmpty();
  }

  @Test
  void seriesThatTwoPrometheisStoredAreNamed() throws Exception {
    SeriesStore twice = new SeriesStore();
    for (String replica : List.of("a", "b")) {
      for (int i = 0; i <= 60; i++) {
        Labels labels = Labels.of("running", Map.of("instance", "x", "replica", replica));
        twice.append(labels, END + i * 60_000L, 1);
      }
    }
    String rules = "groups: [{name: g, rules: [{alert: A, expr: 'sum(running) > 1'}]}]";
    Watched found =
        new Watch(
                new MadeHistory(twice), rules(rules), END + MadeHistory.HOUR, MadeHistory.HOUR,
                done -> {})
            .of("http://p", Optional.empty(), List.of());

    assertThat(found.doubled()).containsExactly("running");
    assertThat(found.seen().gaps()).isEmpty();
  }

  @Test
  void anSliIsAShareOfSomethingCounted() {
    for (String wrong : List.of("up", "sum(rate(a[5m]))", "a / b", "rate(a[2d]) / rate(b[2d])")) {
      assertThatThrownBy(() -> Sli.of("x", 0.99, PromqlParser.parse(wrong)))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
    Sli share = Sli.of("x", 0.99, PromqlParser.parse("increase(a[1m]) / increase(b{c=\"d\"}[1m])"));
    assertThat(share.count()).isEqualTo("increase(b{c=\"d\"}[1m])");
    assertThat(share.scope()).isEqualTo("c=\"d\"");
  }

  @Test
  void aSubqueryStandsForTheRangeOfARecording() {
    WatchedRules rules =
        rules(
            """
            groups:
            - name: g
              rules:
              - {record: "a:b", expr: "sum(x)", labels: {team: "t"}}
              - {alert: A, expr: "max_over_time(a:b[10m]) > 1 and a:b{team=\\"t\\"} > 1"}
            """);

    assertThat(tallystick.promql.ExpressionText.of(rules.alerts().getFirst().rule().expression()))
        .isEqualTo(
            "max_over_time((label_replace(sum(x), \"team\", \"t\", \"\", \"\"))[10m:30s]) > 1"
                + " and a:b{team=\"t\"} > 1");
  }

  @Test
  void anHourAtOneSideIsNotYetADay() {
    // By hand: Jeffreys' posterior of 12 of 24 hours above 0.1 is next to certain, of 0 of 24 not.
    assertThat(Users.exceeds(0.5, 24, 0.1)).isGreaterThan(0.999);
    assertThat(Users.exceeds(0, 24, 0.1)).isLessThan(0.05);
    assertThat(new Envelope.Day("2023-11-14", 12, 1, 1, 0, 1, 0.98).isOutside()).isFalse();
  }
}
