package tallystick.analysis.client;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Times;

/**
 * The client's waits summed over the engine's scrape intervals, each where its request ends: there
 * the engine observes what the request's time was made of.
 */
public final class ClientIntervals {
  /** What is summed; seconds, requests or tokens. */
  public enum Column {
    ARRIVALS,
    PROMPT_TOKENS,
    PROMPTS,
    FIRSTS,
    FIRST_WAIT,
    FIRST_LATENESS,
    FIRST_CONNECT,
    FIRST_TLS,
    FIRST_WRITE,
    FIRST_FROM_WRITTEN,
    ENDS,
    END_WAIT,
    END_LATENESS,
    END_CONNECT,
    END_TLS,
    END_WRITE,
    END_FROM_WRITTEN,
    /** From the last token to the end of the stream, of requests that ended well. */
    END_TAIL,
    ANSWERS,
    /** Tokens after the first one. */
    LATER_TOKENS
  }

  private final MeasuredWindow window;
  private final double[] times;
  private final Map<Column, double[]> columns = new EnumMap<>(Column.class);

  /**
   * Nothing read so far.
   *
   * @param times of the scrapes that bound the intervals, ascending, seconds after the origin
   */
  ClientIntervals(MeasuredWindow window, double[] times) {
    this.window = window;
    this.times = times;
    for (Column column : Column.values()) {
      columns.put(column, new double[Math.max(0, times.length - 1)]);
    }
  }

  /** Takes a measured request. */
  void read(RequestRow row) {
    add(row.times().intended(), Column.ARRIVALS, 1);
    if (!row.hasToken() || row.times().written() < 0) {
      return;
    }
    // Nobody knows when the first token of a whole answer was made; by its end it was.
    long first = row.hasFirstToken() ? row.firstTokenNanos() : row.lastTokenNanos();
    if (row.usage().promptTokens() >= 0) {
      add(first, Column.PROMPT_TOKENS, row.usage().promptTokens());
      add(first, Column.PROMPTS, 1);
    }
    if (row.ending().outcome() == Outcome.OK) {
      long last = row.lastTokenNanos();
      if (row.hasFirstToken()) {
        addWaits(row.times(), first, last, Column.FIRSTS);
      }
      addWaits(row.times(), last, last, Column.ENDS);
      add(last, Column.END_TAIL, (row.times().ended() - last) / 1e9);
      if (row.usage().completionTokens() > 0) {
        add(last, Column.ANSWERS, 1);
        add(last, Column.LATER_TOKENS, row.usage().completionTokens() - 1.0);
      }
    }
  }

  /** A column over some intervals. */
  public double[] values(Column column, int[] intervals) {
    double[] all = columns.get(column);
    return Arrays.stream(intervals).mapToDouble(i -> i < all.length ? all[i] : 0).toArray();
  }

  /** Adds the parts of a wait, at the request's end, in the columns that follow {@code count}. */
  private void addWaits(Times times, long untilNanos, long endNanos, Column count) {
    Column[] all = Column.values();
    int column = count.ordinal();
    double connect = times.connectNanos() / 1e9;
    double tls = times.tlsNanos() / 1e9;
    double[] waits = {
      1,
      (untilNanos - times.intended()) / 1e9,
      (times.started() - times.intended()) / 1e9,
      connect,
      tls,
      (times.written() - times.started()) / 1e9 - connect - tls,
      (untilNanos - times.written()) / 1e9
    };
    for (int i = 0; i < waits.length; i++) {
      add(endNanos, all[column + i], waits[i]);
    }
  }

  private void add(long nanos, Column column, double value) {
    int found = Arrays.binarySearch(times, window.secondsAfterOrigin(nanos));
    int index = found >= 0 ? found - 1 : -found - 2;
    double[] values = columns.get(column);
    if (index >= 0 && index < values.length) {
      values[index] += value;
    }
  }
}
