package tallystick.analysis.client;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import tallystick.runrecord.RequestRow;

/** The scrapes of an engine during which it was streaming an answer, as the client saw. */
public final class StreamingEvidence {
  private final Map<Integer, double[]> scrapes;
  private final Map<Integer, BitSet> seen = new HashMap<>();
  private final MeasuredWindow window;

  /**
   * No answer seen so far.
   *
   * @param scrapes times of good scrapes under load by target, in seconds after the window's
   *     origin, ascending
   */
  public StreamingEvidence(MeasuredWindow window, Map<Integer, double[]> scrapes) {
    this.window = window;
    this.scrapes = scrapes;
  }

  /** Takes a measured request. */
  public void read(RequestRow row) {
    double[] times = scrapes.getOrDefault(row.target(), new double[0]);
    if (!row.hasFirstToken() || times.length == 0) {
      return;
    }
    int from = firstAfter(times, window.secondsAfterOrigin(row.firstTokenNanos()));
    int to = firstAfter(times, window.secondsAfterOrigin(row.lastTokenNanos()));
    // Of a row whose steps run backwards there is nothing in between.
    seen.computeIfAbsent(row.target(), any -> new BitSet()).set(from, Math.max(from, to));
  }

  /** Scrapes with an answer on its way. */
  public long count() {
    return seen.values().stream().mapToLong(BitSet::cardinality).sum();
  }

  private static int firstAfter(double[] times, double seconds) {
    int found = Arrays.binarySearch(times, seconds);
    return found >= 0 ? found + 1 : -found - 1;
  }
}
