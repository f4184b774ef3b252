package tallystick.analysis.exporters;

import tallystick.analysis.client.MeasuredWindow;
import tallystick.runrecord.ScrapeRow;

/** How many of one endpoint's scrapes succeeded while the load ran, and the longest hole. */
final class ScrapesUnderLoad {
  private final MeasuredWindow window;
  private long good;
  private long failed;
  private long lastGoodNanos;
  private long holeNanos;

  ScrapesUnderLoad(MeasuredWindow window) {
    this.window = window;
    this.lastGoodNanos = window.originNanos();
  }

  /** Takes the next scrape of the endpoint, good or failed. */
  void read(ScrapeRow row) {
    if (window.isUnderLoad(row.startedNanos())) {
      good += row.isGood() ? 1 : 0;
      failed += row.isGood() ? 0 : 1;
      long end = row.isGood() ? row.startedNanos() : row.endedNanos();
      holeNanos = Math.max(holeNanos, Math.min(end, window.drainedNanos()) - lastGoodNanos);
      lastGoodNanos = row.isGood() ? row.startedNanos() : lastGoodNanos;
    }
  }

  long good() {
    return good;
  }

  long failed() {
    return failed;
  }

  /** Longest time without a good scrape, to the next one or to the end of the last failure. */
  double holeSeconds() {
    return holeNanos / 1e9;
  }
}
