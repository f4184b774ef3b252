package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tallystick.alerting.derivation.Spelling;
import tallystick.alerting.rules.RuleSet;
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
 */
public final class RunOnGrid {
  private final String run;
  private final long step;
  private final SeriesStore grid = new SeriesStore();
  private final Map<String, String> lines = new LinkedHashMap<>();
  private final Map<PrometheusVersion, List<Firing>> firings =
      new EnumMap<>(PrometheusVersion.class);
  private long start;
  private long end;

  private RunOnGrid(String run, long step) {
    this.run = run;
    this.step = step;
  }

  /**
   * A run under a rule set.
   *
   * @param external labels that the production Prometheus adds, for example the cluster
   */
  static RunOnGrid of(RuleSet set, RunRows rows, Map<String, String> external) {
    RunOnGrid on = new RunOnGrid(rows.manifest().runId(), set.intervalMillis());
    List<RuleGroup> groups = set.evaluable();
    Set<String> metrics = RuleGroup.metrics(groups);
    on.fill(Spelling.of(metrics).of(RecordedSeries.of(rows, 0, external)), metrics);
    for (PrometheusVersion version : PrometheusVersion.values()) {
      SeriesStore copy = on.copy();
      on.firings.put(version, new RuleReplay(copy, version, groups).run(0, on.end, on.step));
    }
    return on;
  }

  /** The run's name. */
  public String run() {
    return run;
  }

  /** Time between samples, and between evaluations. */
  public long stepMillis() {
    return step;
  }

  /** The first sample, after the run's origin. */
  long startMillis() {
    return start;
  }

  /** The last evaluation, after the first sample. */
  public long endMillis() {
    return end;
  }

  /** The samples of each series as promtool reads them. */
  public Map<String, String> lines() {
    return lines;
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
    for (StoredSeries series : grid.all()) {
      if (!series.labels().get("le").isEmpty()) {
        Map<String, String> values = new HashMap<>();
        names.forEach(name -> values.put(name, series.labels().get(name)));
        groups.add(Labels.of(values));
      }
    }
    return groups;
  }

  private void fill(SeriesStore recorded, Set<String> metrics) {
    List<StoredSeries> used = new ArrayList<>(recorded.all());
    used.removeIf(series -> !metrics.contains(series.labels().name()) || series.size() == 0);
    start = used.stream().mapToLong(series -> series.millis(0)).min().orElse(0);
    long last =
        used.stream().mapToLong(series -> series.millis(series.size() - 1)).max().orElse(0);
    end = (last - start) / step * step;
    for (StoredSeries series : used) {
      lines.put(series.labels().toString(), values(series));
    }
  }

  private String values(StoredSeries series) {
    StringBuilder text = new StringBuilder();
    int next = 0;
    for (long at = 0; at <= end; at += step) {
      int latest = -1;
      while (next < series.size() && series.millis(next) <= start + at) {
        latest = next++;
      }
      if (latest < 0) {
        text.append(" _");
      } else {
        double value = series.value(latest);
        grid.append(series.labels(), at, value);
        text.append(' ').append(StoredSeries.isStale(value) ? "stale" : number(value));
      }
    }
    return text.substring(1);
  }

  private static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private SeriesStore copy() {
    SeriesStore copy = new SeriesStore();
    for (StoredSeries series : grid.all()) {
      for (int i = 0; i < series.size(); i++) {
        copy.append(series.labels(), series.millis(i), series.value(i));
      }
    }
    return copy;
  }
}
