package tallystick.alerting.watch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import tallystick.alerting.derivation.EngineNames;
import tallystick.alerting.watch.MetricHistory.Steps;
import tallystick.promql.Labels;
import tallystick.promql.SeriesStore;
import tallystick.runrecord.MetricConcept;

/**
 * What requests were like, day by day: lengths and rates, as the engine counts them.
 *
 * @param days in their order; empty where the engine does not tell
 * @param promptP95 of the time that a new study should cover; NaN where unknown
 * @param outputP95 the same of answers
 */
public record Traffic(List<Day> days, double promptP95, double outputP95) {
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
   * @param metrics the names of all there are
   * @param scope matchers by which the users' SLI keeps to its server; may be empty
   * @param since begin of what a new study should cover
   */
  static Traffic read(
      MetricHistory history, List<String> metrics, String scope, Seen seen, long since)
      throws IOException, InterruptedException {
    SeriesStore named = new SeriesStore();
    metrics.forEach(name -> named.append(Labels.of(name, Map.of()), 0, 0));
    EngineNames names = EngineNames.of(named);
    String prompts = names.family(MetricConcept.REQUEST_PROMPT_TOKENS).orElse("");
    String outputs = names.family(MetricConcept.REQUEST_GENERATION_TOKENS).orElse("");
    if (prompts.isEmpty() || outputs.isEmpty()) {
      return new Traffic(List.of(), Double.NaN, Double.NaN);
    }
    String in = "{" + scope + "}";
    String count = prompts + "_count" + in;
    List<String> queries =
        List.of(
            "max_over_time(sum(rate(" + count + "[5m]))[1h:5m])",
            "sum(increase(" + count + "[1h]))",
            "sum(increase(" + prompts + "_sum" + in + "[1h]))",
            "sum(increase(" + outputs + "_sum" + in + "[1h]))");
    Steps hours = seen.steps(HOUR);
    Map<String, double[]> sums = new TreeMap<>();
    for (int query = 0; query < queries.size(); query++) {
      for (double[] values : history.values(queries.get(query), hours).values()) {
        for (int i = 0; i < values.length; i++) {
          double[] day = sums.computeIfAbsent(Envelope.dayOf(hours.at(i)), any -> new double[4]);
          double value = Double.isFinite(values[i]) ? values[i] : 0;
          day[query] = query == 0 ? Math.max(day[0], value) : day[query] + value;
        }
      }
    }
    List<Day> days = new ArrayList<>();
    sums.forEach((day, of) -> days.add(new Day(day, of[1], of[2] / of[1], of[3] / of[1], of[0])));
    days.removeIf(day -> day.requests() < 1);
    long length = Math.max(1, (seen.toMillis() - Math.max(since, seen.fromMillis())) / HOUR);
    String range = "_bucket" + in + "[" + length + "h]";
    return new Traffic(
        days, p95(history, prompts + range, seen.toMillis()),
        p95(history, outputs + range, seen.toMillis()));
  }

  private static double p95(MetricHistory history, String buckets, long atMillis)
      throws IOException, InterruptedException {
    String query = "histogram_quantile(0.95, sum by (le) (increase(" + buckets + ")))";
    return history.values(query, new Steps(atMillis, atMillis, HOUR)).values().stream()
        .mapToDouble(values -> values[0])
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Days from one on, or those before it, as one; empty where there are none. */
  Optional<Day> together(String first, boolean isSince) {
    List<Day> some =
        days.stream().filter(day -> day.day().compareTo(first) < 0 != isSince).toList();
    return some.stream()
        .findFirst()
        .map(
            day ->
                new Day(
                    day.day(), some.stream().mapToDouble(Day::requests).sum(),
                    mean(some, Day::promptTokens), mean(some, Day::outputTokens),
                    some.stream().mapToDouble(Day::peakPerSecond).max().orElse(0)));
  }

  private static double mean(List<Day> days, ToDoubleFunction<Day> tokens) {
    return days.stream().mapToDouble(day -> tokens.applyAsDouble(day) * day.requests()).sum()
        / days.stream().mapToDouble(Day::requests).sum();
  }

  /** Whether one differs from another by more than days do. */
  static boolean isOther(double before, double since) {
    return Math.abs(since - before) > LEAST_CHANGE * before;
  }
}
