package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.statistics.BatchedMean;
import tallystick.analysis.statistics.TimeBatches;
import tallystick.scenario.Formatted;
import tallystick.scenario.Target;

/**
 * Engines that are slower than those that share the load with them. Each engine's exact means per
 * time batch, from its histograms' sums and counts, stand beside the means of all others.
 */
public final class SlowReplicas {
  /** So many times the others' mean is worth a word. */
  private static final double SLOW = 1.5;

  /** And so many times for certain: equal engines have luck with what they are given. */
  private static final double CERTAIN = 1.2;

  /** The mean of fewer observations in a batch is luck. */
  private static final double FEWEST_SEEN = 5;

  /** An engine whose prompts are so many times as long may well answer later. */
  private static final double LIKE_PROMPTS = 1.25;

  private static final List<Latency> COMPARED = List.of(Latency.TTFT, Latency.ITL);

  private final TimeBatches batches;
  private final Map<String, ScrapeColumns> tables = new LinkedHashMap<>();
  private final Map<String, String> names = new LinkedHashMap<>();

  private SlowReplicas(EngineReading reading, TimeBatches batches, List<Target> targets) {
    this.batches = batches;
    for (EngineReading.Engine engine : reading.engines()) {
      boolean isNamed = targets.size() > 1 && engine.target() < targets.size();
      tables.put(engine.name(), engine.table());
      names.put(
          engine.name(),
          isNamed
              ? engine.name() + " (" + targets.get(engine.target()).url() + ")"
              : engine.name());
    }
  }

  /** One finding for each of them; none where one engine serves all. */
  public static List<Finding> findings(
      EngineReading reading, TimeBatches batches, List<Target> targets) {
    SlowReplicas all = new SlowReplicas(reading, batches, targets);
    if (all.tables.size() < 2) {
      return List.of();
    }
    Map<String, List<Slower>> found = new LinkedHashMap<>();
    for (Latency latency : COMPARED) {
      all.slower(latency)
          .forEach(one -> found.computeIfAbsent(one.owner, any -> new ArrayList<>()).add(one));
    }
    return found.entrySet().stream()
        .map(each -> finding(all.names.get(each.getKey()), each.getValue()))
        .toList();
  }

  /**
   * One engine that is slower in one quantity.
   *
   * @param own its mean in seconds
   * @param others that of all others together
   * @param ratio logarithm of its mean over the others', over the time batches
   */
  private record Slower(String owner, Latency latency, double own, double others, Interval ratio) {
    String words() {
      return Formatted.of(
          "%s mean %.1f ms, of the others %.1f ms", latency, own * 1e3, others * 1e3);
    }

    String evidence() {
      return Formatted.of(
          "%s over the others', by stretches of time: %.2f (95 %% CI %.2f to %.2f)",
          latency, Math.exp(ratio.value().orNaN()), Math.exp(ratio.low().orNaN()),
          Math.exp(ratio.high().orNaN()));
    }
  }

  private static Finding finding(String name, List<Slower> slower) {
    List<String> words = slower.stream().map(Slower::words).toList();
    return new Finding(Code.REPLICA_SLOW,
        "One engine is slower than the others, %s: %s.".formatted(name, String.join("; ", words)),
        slower.stream().map(Slower::evidence).toList(),
        "Look at its settings, its machine and what else it serves. Figures over all engines hide"
            + " it.");
  }

  private List<Slower> slower(Latency latency) {
    Map<String, BatchedMean> means = new LinkedHashMap<>();
    BatchedMean all = new BatchedMean(batches.count());
    tables.forEach(
        (owner, table) -> {
          BatchedMean own = new BatchedMean(batches.count());
          EngineBatches.add(batches, own, latency, table);
          EngineBatches.add(batches, all, latency, table);
          means.put(owner, own);
        });
    List<Slower> found = new ArrayList<>();
    means.forEach(
        (owner, own) -> {
          if (latency == Latency.TTFT && hasLongerPrompts(owner)) {
            return;
          }
          compare(owner, latency, own, all.without(own)).ifPresent(found::add);
        });
    return found;
  }

  private Optional<Slower> compare(
      String owner, Latency latency, BatchedMean own, BatchedMean others) {
    double[] ratios = new double[batches.count()];
    for (int i = 0; i < ratios.length; i++) {
      boolean isSeen = own.counts()[i] >= FEWEST_SEEN && others.counts()[i] >= FEWEST_SEEN;
      ratios[i] = isSeen ? Math.log(own.means()[i] / others.means()[i]) : Double.NaN;
    }
    double mean =
        Arrays.stream(ratios).filter(each -> !Double.isNaN(each)).average().orElse(Double.NaN);
    if (Double.isNaN(mean) || own.mean() < SLOW * others.mean()) {
      return Optional.empty();
    }
    Interval ratio = batches.interval(mean, ratios);
    return ratio.low() instanceof Figure.Known low && low.value() > Math.log(CERTAIN)
        ? Optional.of(new Slower(owner, latency, own.mean(), others.mean(), ratio))
        : Optional.empty();
  }

  private boolean hasLongerPrompts(String owner) {
    double own = 0;
    double ownFinished = 0;
    double others = 0;
    double othersFinished = 0;
    for (Map.Entry<String, ScrapeColumns> each : tables.entrySet()) {
      double prompts = sum(each.getValue(), EngineColumns.PROMPT_TOKENS);
      double finished = sum(each.getValue(), EngineColumns.FINISHED);
      if (each.getKey().equals(owner)) {
        own = prompts;
        ownFinished = finished;
      } else {
        others += prompts;
        othersFinished += finished;
      }
    }
    return own * othersFinished > LIKE_PROMPTS * others * ownFinished;
  }

  private static double sum(ScrapeColumns table, String column) {
    return Arrays.stream(table.values(column)).filter(each -> !Double.isNaN(each)).sum();
  }
}
