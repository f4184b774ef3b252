package tallystick.alerting.watch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tallystick.alerting.derivation.EngineNames;
import tallystick.alerting.watch.MetricHistory.Steps;
import tallystick.promql.Labels;
import tallystick.promql.SeriesStore;
import tallystick.promql.StoredSeries;
import tallystick.runrecord.MetricConcept;

/**
 * What requests were like, day by day: lengths and rates, as the engine counts them.
 *
 * @param days in their order; empty where the engine does not tell
 * @param promptP95 of the time that a new study should cover; NaN where unknown
 * @param outputP95 the same of answers
 */
public record Traffic(List<Day> days, double promptP95, double outputP95) {
  /** Nobody knows. */
  static final Traffic UNKNOWN = new Traffic(List.of(), Double.NaN, Double.NaN);

  private static final long HOUR = 3_600_000;

  /** Days differ by so much anyway: of weekdays and weekends, and of how long people talk. */
  private static final double LEAST_CHANGE = 0.2;

  /**
   * One day.
   *
   * @param requests that ended
   * @param promptTokens mean of a request
   * @param outputTokens mean of a request
   * @param peakPerSecond the largest rate over five minutes
   */
  public record Day(
      String day, double requests, double promptTokens, double outputTokens,
      double peakPerSecond) {}

  public Traffic {
    days = List.copyOf(days);
  }

  /**
   * Asks for it.
   *
   * @param scope matchers by which the users' SLI keeps to its server; may be empty
   * @param since begin of what a new study should cover
   */
  static Traffic read(
      MetricHistory history, EngineNames names, String scope, Seen seen, long since)
      throws IOException, InterruptedException {
    Optional<String> prompts = names.family(MetricConcept.REQUEST_PROMPT_TOKENS);
    Optional<String> outputs = names.family(MetricConcept.REQUEST_GENERATION_TOKENS);
    if (prompts.isEmpty() || outputs.isEmpty()) {
      return UNKNOWN;
    }
    Steps hours = Steps.before(seen.toMillis(), seen.toMillis() - seen.fromMillis(), HOUR);
    String in = "{" + scope + "}";
    String count = prompts.get() + "_count" + in;
    Map<String, double[]> days = new TreeMap<>();
    List<String> queries =
        List.of(
            "sum(increase(" + count + "[1h]))",
            "sum(increase(" + prompts.get() + "_sum" + in + "[1h]))",
            "sum(increase(" + outputs.get() + "_sum" + in + "[1h]))",
            "max_over_time(sum(rate(" + count + "[5m]))[1h:5m])");
    for (int i = 0; i < queries.size(); i++) {
      for (StoredSeries series : history.values(queries.get(i), hours)) {
        for (int at = 0; at < series.size(); at++) {
          double value = Double.isFinite(series.value(at)) ? series.value(at) : 0;
          double[] day =
              days.computeIfAbsent(
                  Envelope.dayOf(series.millis(at)), any -> new double[queries.size()]);
          day[i] = i == queries.size() - 1 ? Math.max(day[i], value) : day[i] + value;
        }
      }
    }
    List<Day> all = new ArrayList<>();
    days.forEach(
        (day, sums) -> {
          if (sums[0] >= 1) {
            all.add(new Day(day, sums[0], sums[1] / sums[0], sums[2] / sums[0], sums[3]));
          }
        });
    long length = Math.max(1, (seen.toMillis() - Math.max(since, seen.fromMillis())) / HOUR);
    return new Traffic(
        all, p95(history, prompts.get() + "_bucket" + in, length, seen.toMillis()),
        p95(history, outputs.get() + "_bucket" + in, length, seen.toMillis()));
  }

  private static double p95(MetricHistory history, String bucket, long hours, long atMillis)
      throws IOException, InterruptedException {
    String query =
        "histogram_quantile(0.95, sum by (le) (increase(" + bucket + "[" + hours + "h])))";
    for (StoredSeries one : history.values(query, new Steps(atMillis, atMillis, HOUR))) {
      return one.value(one.size() - 1);
    }
    return Double.NaN;
  }

  /** Names of an engine's metrics among all there are. */
  static EngineNames names(List<String> all) {
    SeriesStore store = new SeriesStore();
    all.forEach(name -> store.append(Labels.of(name, Map.of()), 0, 0));
    return EngineNames.of(store);
  }

  /** Days from one on, or those before it, as one; empty where there are none. */
  Optional<Day> together(String first, boolean isSince) {
    List<Day> some =
        days.stream().filter(day -> day.day().compareTo(first) < 0 != isSince).toList();
    double requests = some.stream().mapToDouble(Day::requests).sum();
    return some.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Day(
                some.getFirst().day(), requests,
                some.stream().mapToDouble(d -> d.promptTokens() * d.requests()).sum() / requests,
                some.stream().mapToDouble(d -> d.outputTokens() * d.requests()).sum() / requests,
                some.stream().mapToDouble(Day::peakPerSecond).max().orElse(0)));
  }

  /** Whether one differs from another by more than days do. */
  static boolean isOther(double before, double since) {
    return Math.abs(since - before) > LEAST_CHANGE * before;
  }
}
