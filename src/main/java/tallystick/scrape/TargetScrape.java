package tallystick.scrape;

import java.util.List;
import java.util.function.Consumer;
import tallystick.runrecord.ScrapeRow;

/** Scrapes one target, one scrape at a time, and hands each row on in the order of its start. */
final class TargetScrape {
  private final RowSource source;
  private final Consumer<ScrapeRow> sink;
  private volatile ScrapeRow latest;

  TargetScrape(RowSource source, Consumer<ScrapeRow> sink) {
    this.source = source;
    this.sink = sink;
  }

  /** The newest row; null inside this room before the first one. */
  ScrapeRow latest() {
    return latest;
  }

  /** One scrape, from the question to the rows in the sink; gives the newest row there is. */
  synchronized ScrapeRow scrape() throws InterruptedException {
    List<ScrapeRow> rows = source.next();
    for (ScrapeRow row : rows) {
      latest = row;
      if (row.startedNanos() >= 0) {
        sink.accept(row);
      }
    }
    return latest;
  }
}
