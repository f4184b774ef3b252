package tallystick.run;

import tallystick.plan.Settings;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RunClock;
import tallystick.runrecord.ScrapeRow;
import tallystick.scrape.MetricsAccess;
import tallystick.scrape.Scraper;

/** Scrapes the scenario's exporters beside the targets, from before the load to after its end. */
final class ExporterScrapes implements AutoCloseable {
  private final Scraper scraper;

  ExporterScrapes(
      Settings settings, RunClock clock, RecordWriter writer, MetricsAccess access) {
    this.scraper =
        Scraper.ofExporters(
            settings.exporters(),
            settings.timing().scrapeIntervalNanos(),
            clock,
            writer::offerExporter,
            access);
  }

  void start() {
    scraper.startSpread();
  }

  /** One scrape after the load of every exporter that answers; a dead one is not waited for. */
  void scrapeOnceMore() throws InterruptedException {
    for (int exporter : scraper.targets()) {
      if (scraper.latest(exporter).map(ScrapeRow::isGood).orElse(false)) {
        scraper.scrape(exporter);
      }
    }
  }

  @Override
  public void close() {
    scraper.close();
  }
}
