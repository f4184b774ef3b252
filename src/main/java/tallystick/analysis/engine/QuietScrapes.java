package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Formatted;

/**
 * The scrapes at which the harness saw the engines idle. It notes the start of each, so they must
 * stand among the scrapes to the nanosecond; else the two files are not of one clock.
 */
public final class QuietScrapes {
  private final MeasuredWindow window;
  private final List<Long> missing = new ArrayList<>();
  private boolean anyGood;

  /** No scrape seen so far. */
  public QuietScrapes(MeasuredWindow window) {
    this.window = window;
    LongStream.concat(window.quietBefore().stream(), window.quietAfter().stream())
        .forEach(missing::add);
  }

  /** Takes a scrape of any target. */
  public void read(ScrapeRow row) {
    anyGood |= row.isGood();
    if (row.isGood()) {
      missing.remove(Long.valueOf(row.startedNanos()));
    }
  }

  /** Those that are not there, in seconds after the window's origin; none if nothing was read. */
  public List<String> missing() {
    return anyGood ? missing.stream().map(this::seconds).toList() : List.of();
  }

  private String seconds(long nanos) {
    return Formatted.of("%.6f s", window.secondsAfterOrigin(nanos));
  }
}
