package tallystick.alerting.rules;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tallystick.alerting.derivation.RuleMetrics;
import tallystick.alerting.derivation.Spelling;
import tallystick.analysis.prometheus.Durations;
import tallystick.analysis.prometheus.Firing;
import tallystick.analysis.prometheus.PrometheusVersion;
import tallystick.analysis.prometheus.RecordedSeries;
import tallystick.analysis.prometheus.RuleGroup;
import tallystick.analysis.prometheus.RuleReplay;
import tallystick.analysis.prometheus.SeriesStore;
import tallystick.analysis.prometheus.StoredSeries;
import tallystick.runrecord.RunRows;

/**
 * Writes {@code rules_test.yaml}: a recorded run as input of {@code promtool test rules}, and how
 * many alerts of each name must fire at moments over the run. What must fire is computed by our
 * own replay; a moment at which Prometheus 2.x and 3.x would differ is left out.
 */
public final class RuleTestText {
  private static final long EVERY_MILLIS = 5 * 60_000L;

  private final RuleSet set;
  private final long step;
  private final SeriesStore grid = new SeriesStore();
  private final Map<String, String> lines = new LinkedHashMap<>();
  private long end;

  private RuleTestText(RuleSet set) {
    this.set = set;
    this.step = set.intervalMillis();
  }

  /**
   * The text of a test over one run.
   *
   * @param rulesFile name of the rule file beside it
   * @param external labels that the production Prometheus adds, for example the cluster
   */
  public static String of(
      RuleSet set, RunRows run, String rulesFile, Map<String, String> external) {
    RuleTestText test = new RuleTestText(set);
    test.fill(test.spelling().of(RecordedSeries.of(run, 0, external)));
    return test.text(run.manifest().runId(), rulesFile);
  }

  private Spelling spelling() {
    return Spelling.of(metrics());
  }

  private Set<String> metrics() {
    return RuleMetrics.selected(set.evaluable());
  }

  /** Copies the series the rules read onto the evaluation grid, beginning at 0. */
  private void fill(SeriesStore recorded) {
    Set<String> metrics = metrics();
    List<StoredSeries> used =
        recorded.all().stream()
            .filter(series -> metrics.contains(series.labels().name()) && series.size() > 0)
            .toList();
    long start = used.stream().mapToLong(series -> series.millis(0)).min().orElse(0);
    long last =
        used.stream().mapToLong(series -> series.millis(series.size() - 1)).max().orElse(0);
    end = (last - start) / step * step;
    for (StoredSeries series : used) {
      lines.put(series.labels().toString(), values(series, start));
    }
  }

  private String values(StoredSeries series, long start) {
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

  private String text(String run, String rulesFile) {
    List<Firing> older = replay(PrometheusVersion.V2_42);
    List<Firing> newer = replay(PrometheusVersion.V3);
    StringBuilder text = new StringBuilder();
    RuleSetText.comment(text, "", "Replays run " + run + ". Check: promtool test rules");
    text.append("rule_files:\n- ").append(RuleSetText.quoted(rulesFile)).append("\n");
    text.append("evaluation_interval: ").append(Durations.text(step)).append("\n");
    text.append("tests:\n- name: ").append(RuleSetText.quoted(run)).append("\n");
    text.append("  interval: ").append(Durations.text(step)).append("\n  input_series:\n");
    lines.forEach(
        (series, values) ->
            text.append("  - series: ")
                .append(RuleSetText.quoted(series))
                .append("\n    values: '")
                .append(values)
                .append("'\n"));
    text.append("  promql_expr_test:\n");
    for (RuleSet.Rule alert : set.alerts()) {
      for (long at = 0; at <= end; at += EVERY_MILLIS) {
        long expected = firing(older, alert.name(), at);
        if (expected == firing(newer, alert.name(), at)) {
          expectation(text, alert.name(), at, expected);
        }
      }
    }
    return text.toString();
  }

  private List<Firing> replay(PrometheusVersion version) {
    SeriesStore copy = new SeriesStore();
    for (StoredSeries series : grid.all()) {
      for (int i = 0; i < series.size(); i++) {
        copy.append(series.labels(), series.millis(i), series.value(i));
      }
    }
    List<RuleGroup> groups = set.evaluable();
    return new RuleReplay(copy, version, groups).run(0, end, step);
  }

  private static long firing(List<Firing> firings, String alert, long at) {
    return firings.stream().filter(f -> f.alert().equals(alert) && f.covers(at)).count();
  }

  private static void expectation(StringBuilder text, String alert, long at, long count) {
    text.append(
        """
          - expr: count(ALERTS{alertname="%s",alertstate="firing"}) or vector(0)
            eval_time: %s
            exp_samples:
            - labels: '{}'
              value: %d
        """
            .formatted(alert, Durations.text(at), count));
  }
}
