package tallystick.alerting.review;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import tallystick.alerting.derivation.Spelling;
import tallystick.alerting.rules.RuleSet;
import tallystick.promql.ExpressionText;
import tallystick.promql.Firing;
import tallystick.promql.Labels;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.RecordedSeries;
import tallystick.promql.RuleGroup;
import tallystick.promql.RuleReplay;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;
import tallystick.runrecord.RunRows;

/**
 * A recorded run with one sample for each evaluation of a rule set, beginning at 0: the input of
 * {@code promtool test rules}, and what our own replay of it says in both dialects.
 *
 * @param run its name
 * @param stepMillis time between samples, and between evaluations
 * @param startMillis the first sample, after the run's origin
 * @param endMillis the last evaluation, after the first sample
 * @param lines the samples of each series as promtool reads them
 * @param samples the same, to be evaluated
 * @param firings as each version of Prometheus has them
 */
public record RunOnGrid(
    String run,
    long stepMillis,
    long startMillis,
    long endMillis,
    Map<String, String> lines,
    SeriesStore samples,
    Map<PrometheusVersion, List<Firing>> firings) {

  /**
   * A run under a rule set.
   *
   * @param external labels that the production Prometheus adds, for example the cluster
   */
  static RunOnGrid of(RuleSet set, RunRows rows, Map<String, String> external) {
    List<RuleGroup> groups = set.evaluable();
    Set<String> metrics = RuleGroup.metrics(groups);
    List<StoredSeries> used =
        Spelling.of(metrics).of(RecordedSeries.of(rows, 0, external)).all().stream()
            .filter(series -> metrics.contains(series.labels().name()) && series.size() > 0)
            .toList();
    long start = used.stream().mapToLong(series -> series.millis(0)).min().orElse(0);
    long last =
        used.stream().mapToLong(series -> series.millis(series.size() - 1)).max().orElse(0);
    long step = set.intervalMillis();
    RunOnGrid on =
        new RunOnGrid(
            rows.manifest().runId(), step, start, (last - start) / step * step,
            new LinkedHashMap<>(), new SeriesStore(), new EnumMap<>(PrometheusVersion.class));
    used.forEach(series -> on.lines.put(series.labels().toString(), on.put(series)));
    for (PrometheusVersion version : PrometheusVersion.values()) {
      SeriesStore copy = on.samples.relabelled(UnaryOperator.identity());
      on.firings.put(version, new RuleReplay(copy, version, groups).run(0, on.endMillis, step));
    }
    return on;
  }

  /** Firings of an alert as a version of Prometheus has them. */
  List<Firing> firings(PrometheusVersion version, String alert) {
    return firings.get(version).stream().filter(firing -> firing.alert().equals(alert)).toList();
  }

  /** How many firings of an alert cover a moment. */
  public long firing(PrometheusVersion version, String alert, long at) {
    return firings(version, alert).stream().filter(firing -> firing.covers(at)).count();
  }

  /** The different values that the histograms' series have of some labels. */
  Set<Labels> groups(List<String> names) {
    Set<Labels> groups = new LinkedHashSet<>();
    for (StoredSeries series : samples.all()) {
      if (!series.labels().get("le").isEmpty()) {
        groups.add(series.labels().only(names));
      }
    }
    return groups;
  }

  /** Puts a series on the grid; its samples as promtool reads them. */
  private String put(StoredSeries series) {
    StringBuilder text = new StringBuilder();
    int next = 0;
    for (long at = 0; at <= endMillis; at += stepMillis) {
      int latest = -1;
      while (next < series.size() && series.millis(next) <= startMillis + at) {
        latest = next++;
      }
      if (latest < 0) {
        text.append(" _");
      } else {
        double value = series.value(latest);
        samples.append(series.labels(), at, value);
        text.append(' ').append(StoredSeries.isStale(value) ? "stale" : number(value));
      }
    }
    return text.substring(1);
  }

  private static String number(double value) {
    return value == Double.POSITIVE_INFINITY ? "Inf" : ExpressionText.number(value);
  }
}
