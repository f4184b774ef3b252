package tallystick.analysis.engine;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.result.Latency;
import tallystick.analysis.statistics.BatchedMean;
import tallystick.analysis.statistics.TimeBatches;

/** The engine's histogram means per time batch, from the growth between scrapes. */
public final class EngineBatches {
  private final TimeBatches batches;
  private final Map<Latency, BatchedMean> means = new EnumMap<>(Latency.class);

  public EngineBatches(TimeBatches batches, EngineReading reading) {
    this.batches = batches;
    for (Latency name :
        List.of(Latency.TTFT, Latency.E2E, Latency.QUEUE, Latency.PREFILL, Latency.DECODE)) {
      means.put(name, of(name, reading));
    }
  }

  /** Mean per batch of a histogram; all NaN where the engine does not expose it. */
  public double[] means(Latency latency) {
    return means.get(latency).means();
  }

  private BatchedMean of(Latency name, EngineReading reading) {
    BatchedMean mean = new BatchedMean(batches.count());
    reading.engines().forEach(engine -> add(batches, mean, name, engine.table()));
    return mean;
  }

  /** Adds one engine's growth of a histogram to a mean. */
  static void add(TimeBatches batches, BatchedMean mean, Latency name, ScrapeColumns table) {
    double[] middles = table.middles();
    double[] sums = table.values(EngineColumns.sumOf(name));
    double[] counts = table.values(EngineColumns.countOf(name));
    for (int i = 0; i < middles.length; i++) {
      if (!Double.isNaN(sums[i]) && !Double.isNaN(counts[i])) {
        mean.add(batches.indexOf(middles[i]), sums[i], counts[i]);
      }
    }
  }
}
