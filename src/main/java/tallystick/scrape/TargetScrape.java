package tallystick.scrape;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import tallystick.runrecord.ScrapeRow;

/** Scrapes one target, one scrape at a time, and hands each row on in the order of its start. */
final class TargetScrape {
  private static final int REMEMBERED = 8; // capacity: the last ones

  private final RowSource source;
  private final Consumer<ScrapeRow> sink;
  private final Queue<ScrapeRow> recent = new ArrayDeque<>();
  private volatile ScrapeRow latest;
  private volatile boolean hasLeft;

  TargetScrape(RowSource source, Consumer<ScrapeRow> sink) {
    this.source = source;
    this.sink = sink;
  }

  /** The newest row; null inside this room before the first one. */
  ScrapeRow latest() {
    return latest;
  }

  /** It is not wanted any more. */
  void leave() {
    hasLeft = true;
  }

  boolean hasLeft() {
    return hasLeft;
  }

  /** The newest rows that came since the last call, oldest first. */
  synchronized List<ScrapeRow> recent() {
    List<ScrapeRow> rows = List.copyOf(recent);
    recent.clear();
    return rows;
  }

  /** One scrape, from the question to the rows in the sink; gives the newest row there is. */
  synchronized ScrapeRow scrape() throws InterruptedException {
    List<ScrapeRow> rows = source.next();
    for (ScrapeRow row : rows) {
      latest = row;
      recent.add(row);
      if (recent.size() > REMEMBERED) {
        recent.remove();
      }
      if (row.startedNanos() >= 0) {
        sink.accept(row);
      }
    }
    return latest;
  }
}
