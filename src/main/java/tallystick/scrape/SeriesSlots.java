package tallystick.scrape;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import tallystick.runrecord.Sample;
import tallystick.runrecord.Series;

/** The series a target has shown, found by the bytes of their name and labels. */
final class SeriesSlots {
  /** Series that went away are forgotten once they outnumber those of a scrape this far. */
  private static final int SPARE = 1024;

  private final Map<ByteBuffer, Slot> byBytes = new HashMap<>(SPARE);
  private final Map<Series, Slot> bySeries = new HashMap<>(SPARE);

  /** One series with its newest sample and where that stands. */
  static final class Slot {
    final Series series;
    Sample sample;
    double time = Double.NaN;
    long seenInScrape;
    int lineIndex = -1;

    private Slot(Series series) {
      this.series = series;
    }
  }

  /** The slot of these bytes; null inside this room means that they are new. */
  Slot find(byte[] body, int from, int to) {
    return byBytes.get(ByteBuffer.wrap(body, from, to - from));
  }

  /** Remembers which series these bytes spell; two spellings of one series share a slot. */
  Slot add(byte[] body, int from, int to, Series series) {
    Slot slot = bySeries.computeIfAbsent(series, Slot::new);
    byBytes.put(ByteBuffer.wrap(Arrays.copyOfRange(body, from, to)), slot);
    return slot;
  }

  /** Forgets everything if most of it was not in the last scrape; tells whether it did. */
  boolean trim(int samplesInScrape) {
    boolean isCrowded = byBytes.size() > 2 * samplesInScrape + SPARE;
    if (isCrowded) {
      clear();
    }
    return isCrowded;
  }

  /** Forgets every series and every spelling. */
  void clear() {
    byBytes.clear();
    bySeries.clear();
  }
}
