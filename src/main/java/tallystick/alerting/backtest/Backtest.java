package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.analysis.prometheus.Firing;
import tallystick.analysis.prometheus.PrometheusVersion;
import tallystick.analysis.prometheus.RecordedSeries;
import tallystick.analysis.prometheus.RuleGroup;
import tallystick.analysis.prometheus.RuleReplay;
import tallystick.analysis.prometheus.SeriesStore;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Objective;

/** Replays rules over recorded runs and lays their firings beside what users lived through. */
public final class Backtest {
  private Backtest() {}

  /**
   * How to replay.
   *
   * @param objective what the client judges by
   * @param scrapeMillis scrape interval of the Prometheus in question; 0 takes every scrape
   * @param evaluationMillis interval of groups that name none
   * @param clientWindowMillis windows in which the client is judged
   * @param version whose dialect to speak
   * @param external labels to add to every series
   */
  public record Conditions(
      Objective objective,
      long scrapeMillis,
      long evaluationMillis,
      long clientWindowMillis,
      PrometheusVersion version,
      Map<String, String> external) {
    /** What production mostly has: scrapes and evaluations every 15 s, judged in 30 s windows. */
    public static Conditions usual(Objective objective, PrometheusVersion version) {
      return new Conditions(objective, 15_000, 15_000, 30_000, version, Map.of());
    }
  }

  /**
   * What happened in one run.
   *
   * @param run its name
   * @param episodes when users suffered, isolated windows included
   * @param firings every firing of every alert
   * @param durationMillis length of what was replayed
   */
  public record RunTimeline(
      String run, List<Episode> episodes, List<Firing> firings, long durationMillis) {}

  /**
   * Replays one run.
   *
   * @throws tallystick.analysis.prometheus.PromqlException where a rule cannot be evaluated
   */
  public static RunTimeline replay(
      List<RuleGroup> groups, RunRows rows, Conditions conditions) {
    SeriesStore store =
        RecordedSeries.of(rows, conditions.scrapeMillis(), conditions.external());
    ClientCounts counts =
        ClientCounts.of(rows, conditions.objective(), conditions.clientWindowMillis());
    long start = counts.startMillis();
    long end = start + counts.counts().size() * counts.windowMillis();
    List<Firing> firings =
        new RuleReplay(store, conditions.version(), groups)
            .run(start, end, conditions.evaluationMillis());
    return new RunTimeline(
        rows.manifest().runId(),
        Episode.of(counts, conditions.objective().share()),
        firings,
        end - start);
  }

  /** One score for each alert of the groups, in their order. */
  public static List<AlertScore> scores(List<RuleGroup> groups, List<RunTimeline> runs) {
    Map<String, AlertScore> scores = new LinkedHashMap<>();
    for (RuleGroup group : groups) {
      for (RuleGroup.Rule rule : group.rules()) {
        if (rule instanceof RuleGroup.Alert alert) {
          scores.put(alert.name(), score(alert.name(), runs));
        }
      }
    }
    return List.copyOf(scores.values());
  }

  private static AlertScore score(String alert, List<RunTimeline> runs) {
    int episodes = 0;
    int found = 0;
    int firings = 0;
    int falseFirings = 0;
    double healthy = 0;
    List<Double> delays = new ArrayList<>();
    for (RunTimeline run : runs) {
      List<Firing> own = run.firings().stream().filter(f -> f.alert().equals(alert)).toList();
      List<Episode> proven = run.episodes().stream().filter(e -> !e.isIsolated()).toList();
      episodes += proven.size();
      firings += own.size();
      for (Episode episode : proven) {
        List<Firing> hits = own.stream().filter(f -> touches(episode, f, run)).toList();
        if (!hits.isEmpty()) {
          found++;
          // An alert that has not stopped since the episode before has no delay of its own.
          double delay = (hits.getFirst().firedMillis() - episode.onsetMillis()) / 1000.0;
          if (delay * 1000 >= -Episode.SLACK_MILLIS) {
            delays.add(delay);
          }
        }
      }
      falseFirings +=
          (int) own.stream()
              .filter(f -> run.episodes().stream().noneMatch(e -> touches(e, f, run)))
              .count();
      healthy += healthySeconds(run);
    }
    return new AlertScore(alert, episodes, found, firings, falseFirings, delays, healthy);
  }

  private static boolean touches(Episode episode, Firing firing, RunTimeline run) {
    long end = Math.min(firing.resolvedMillis(), run.durationMillis() + Episode.SLACK_MILLIS);
    return episode.touches(firing.firedMillis(), Math.max(end, firing.firedMillis()));
  }

  private static double healthySeconds(RunTimeline run) {
    long spoiled =
        run.episodes().stream()
            .mapToLong(e -> e.endMillis() - e.onsetMillis() + 2 * Episode.SLACK_MILLIS)
            .sum();
    return Math.max(0, run.durationMillis() - spoiled) / 1000.0;
  }
}
