package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.statistics.OrderStatistics;

/** The engine's account as the report shows it. */
public final class EngineSummary {
  private EngineSummary() {}

  /** The account, or why there is none. */
  public static RunAnalysis.EngineAccount of(EngineReading reading, EngineTotals totals) {
    String absence = absence(reading, totals);
    if (!absence.isEmpty()) {
      return new RunAnalysis.EngineAccount(
          false,
          absence,
          Map.of(),
          Map.of(),
          Map.of(),
          reading.goodScrapes(),
          reading.failedScrapes(),
          Map.of());
    }
    Map<Latency, EngineDistribution> distributions = new EnumMap<>(Latency.class);
    for (Latency latency : Latency.values()) {
      totals
          .histogram(latency.concept())
          .ifPresent(growth -> distributions.put(latency, distribution(growth)));
    }
    return new RunAnalysis.EngineAccount(
        true,
        "",
        distributions,
        totals.counters(),
        reading.gauges().ranges(),
        reading.goodScrapes(),
        reading.failedScrapes(),
        totals.settings());
  }

  /** A histogram's growth with the buckets its percentiles lie in. */
  public static EngineDistribution distribution(EngineTotals.HistogramGrowth growth) {
    List<EngineDistribution.Bucket> buckets = new ArrayList<>();
    growth
        .cumulative()
        .forEach((edge, count) -> buckets.add(new EngineDistribution.Bucket(edge, count)));
    List<EngineDistribution.Bracket> brackets = new ArrayList<>();
    for (double level : OrderStatistics.LEVELS) {
      brackets.add(bracket(level, growth.count(), buckets));
    }
    return new EngineDistribution(
        growth.family(), growth.count(), growth.mean(), brackets, buckets);
  }

  /** The bucket the order statistic of a level lies in. */
  static EngineDistribution.Bracket bracket(
      double level, double count, List<EngineDistribution.Bucket> buckets) {
    long whole = Math.round(count);
    if (whole < OrderStatistics.neededCount(level, OrderStatistics.CONFIDENCE)) {
      Figure none = Figure.missing(OrderStatistics.refusal(level, whole));
      return new EngineDistribution.Bracket(level, none, none);
    }
    return plainBracket(level, count, buckets)
        .orElseGet(
            () -> {
              Figure none = Figure.missing("no bucket holds this rank");
              return new EngineDistribution.Bracket(level, none, none);
            });
  }

  /** The same without the existence rule; empty if the buckets do not reach the rank. */
  public static Optional<EngineDistribution.Bracket> plainBracket(
      double level, double count, List<EngineDistribution.Bucket> buckets) {
    long rank = OrderStatistics.rank(level, Math.round(count));
    double low = 0;
    for (EngineDistribution.Bucket bucket : buckets) {
      if (bucket.cumulative() >= rank) {
        return Optional.of(new EngineDistribution.Bracket(
            level, Figure.of(low), Figure.of(bucket.edge())));
      }
      low = bucket.edge();
    }
    return Optional.empty();
  }

  private static String absence(EngineReading reading, EngineTotals totals) {
    if (!reading.hasRows()) {
      return "no metrics were scraped";
    }
    if (reading.targets().isEmpty()) {
      return "fewer than two good scrapes around the window";
    }
    Optional<String> conflict = reading.models().conflict();
    if (conflict.isPresent()) {
      return conflict.get();
    }
    return totals.isEmpty() ? "the scrapes carry no metrics of a known engine" : "";
  }
}
