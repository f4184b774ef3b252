package tallystick.analysis;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.engine.EngineReading;
import tallystick.analysis.engine.QuietScrapes;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Target;

/**
 * What one pass over the scrapes gathers.
 *
 * @param reading of the engines that answer
 * @param prefill of the engines of a prefill pool
 */
record ScrapeReading(
    EngineReading reading,
    EngineReading prefill,
    QuietScrapes quiet,
    StaleBaselineScrape staleStart) {

  static ScrapeReading of(RunRows rows, HarnessAccount harness, MeasuredWindow window) {
    ScrapeReading scrapes =
        new ScrapeReading(
            reading(rows, harness, window, target -> !target.onlyPrefills()),
            reading(rows, harness, window, Target::onlyPrefills),
            new QuietScrapes(window),
            new StaleBaselineScrape(rows.manifest(), harness, window));
    Set<Integer> prefills =
        IntStream.range(0, rows.manifest().targets().size())
            .filter(index -> rows.manifest().targets().get(index).onlyPrefills())
            .boxed()
            .collect(Collectors.toSet());
    rows.eachScrape(
        row -> {
          scrapes.quiet.read(row);
          scrapes.staleStart.read(row);
          (prefills.contains(row.target()) ? scrapes.prefill : scrapes.reading).read(row);
        });
    scrapes.reading.end();
    scrapes.prefill.end();
    return scrapes;
  }

  private static EngineReading reading(
      RunRows rows, HarnessAccount harness, MeasuredWindow window, Predicate<Target> isRead) {
    return new EngineReading(
        window, rows.manifest(), rows.settings().timing().scrapeIntervalNanos(), isRead,
        harness.moves());
  }

  /** Scrapes of any kind and target. */
  long rows() {
    return reading.rows() + prefill.rows();
  }
}
