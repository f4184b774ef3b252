package tallystick.alerting.backtest;

import java.util.List;
import java.util.Map;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.alerting.derivation.Spelling;
import tallystick.promql.Firing;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.RecordedSeries;
import tallystick.promql.RuleGroup;
import tallystick.promql.RuleReplay;
import tallystick.promql.SeriesStore;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Objective;

/** Replays rules over recorded runs and lays their firings beside what users lived through. */
public final class Backtest {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private Backtest() {}

  /**
   * How to replay.
   *
   * @param objective what the client judges by
   * @param scrapeMillis scrape interval of the Prometheus in question; 0 takes every scrape
   * @param evaluationMillis interval of groups that name none
   * @param version whose dialect to speak
   * @param external labels to add to every series
   */
  public record Conditions(
      Objective objective,
      long scrapeMillis,
      long evaluationMillis,
      PrometheusVersion version,
      Map<String, String> external) {
    /** What production mostly has: scrapes and evaluations every 15 s. */
    public static Conditions usual(
        Objective objective, PrometheusVersion version, Map<String, String> external) {
      return new Conditions(objective, 15_000, 15_000, version, external);
    }
  }

  /**
   * Replays one run, its metrics named as the rules name them.
   *
   * @throws tallystick.promql.PromqlException where a rule cannot be evaluated
   */
  public static RunTimeline replay(
      List<RuleGroup> groups, RunRows rows, Conditions conditions) {
    SeriesStore store =
        Spelling.of(RuleGroup.metrics(groups))
            .of(RecordedSeries.of(rows, conditions.scrapeMillis(), conditions.external()));
    long window = ClientCounts.windowMillis(rows);
    ClientCounts counts = recorded(ClientCounts.of(rows, conditions.objective(), window), rows);
    long start = counts.startMillis();
    long end = start + counts.counts().size() * window;
    Map<String, AlertTraits> traits =
        AlertTraits.of(groups, store, conditions.evaluationMillis(), conditions.objective());
    List<Firing> firings =
        new RuleReplay(store, conditions.version(), groups)
            .run(start, end, conditions.evaluationMillis());
    return new RunTimeline(
        rows.manifest().runId(),
        Episode.of(counts, conditions.objective().share()),
        Episode.unclear(counts, conditions.objective().share()),
        firings,
        start,
        end,
        window,
        traits);
  }

  /** Windows as far as the record reaches: of what was planned beyond it nobody knows anything. */
  private static ClientCounts recorded(ClientCounts planned, RunRows rows) {
    if (rows.manifest().isComplete()) {
      return planned;
    }
    long[] last = {0};
    rows.eachScrape(scrape -> last[0] = Math.max(last[0], scrape.endedNanos() / NANOS_PER_MILLI));
    long whole = Math.max(0, last[0] - planned.startMillis()) / planned.windowMillis();
    int kept = (int) Math.min(planned.counts().size(), whole);
    return new ClientCounts(
        planned.startMillis(), planned.windowMillis(), planned.counts().subList(0, kept));
  }

  /** One score for each alert of the groups, in their order. */
  public static List<AlertScore> scores(List<RuleGroup> groups, List<RunTimeline> runs) {
    return groups.stream()
        .flatMap(group -> group.alerts().stream())
        .map(RuleGroup.Alert::name)
        .distinct()
        .map(alert -> score(alert, runs))
        .toList();
  }

  private static AlertScore score(String alert, List<RunTimeline> runs) {
    return AlertScore.sum(
        alert,
        runs.stream().map(run -> new RunScore(alert, run, run.firings(alert)).score()).toList());
  }
}
