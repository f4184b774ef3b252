package tallystick.analysis.engine;

import java.util.Map;
import java.util.TreeMap;
import tallystick.analysis.statistics.BatchedMean;
import tallystick.analysis.statistics.TimeBatches;

/** The engine's histogram means per time batch, from the growth between scrapes. */
public final class EngineBatches {
  private final TimeBatches batches;
  private final Map<String, BatchedMean> means = new TreeMap<>();

  public EngineBatches(TimeBatches batches, EngineReading reading) {
    this.batches = batches;
    for (String name : new String[] {"ttft", "e2e", "queue", "prefill", "decode"}) {
      means.put(name, of(name, reading));
    }
  }

  /** Mean per batch of a histogram by short name; all NaN where the engine does not expose it. */
  public double[] means(String shortName) {
    return means.get(shortName).means();
  }

  private BatchedMean of(String name, EngineReading reading) {
    BatchedMean mean = new BatchedMean(batches.count());
    reading
        .columns()
        .values()
        .forEach(target -> target.byOwner().values().forEach(table -> add(mean, name, table)));
    return mean;
  }

  private void add(BatchedMean mean, String name, ScrapeColumns table) {
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
