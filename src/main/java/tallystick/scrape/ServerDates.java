package tallystick.scrape;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import tallystick.runrecord.ClockBracket;

/**
 * Brackets a server's wall clock by the {@code Date} of many answers within a little more than a
 * second: one of them is just before, one just after the header changes. Two machines that do so
 * learn how far their clocks are apart, whatever the server's own clock says.
 */
public final class ServerDates {
  private static final int MOST = 60; // a bound on requests
  private static final long STEP_NANOS = 25_000_000L; // as narrow is the bracket
  private static final long ENOUGH_NANOS = 1_250_000_000L; // a second's edge lies within

  private ServerDates() {}

  /**
   * Asks a server for its list of models, again and again; an answer that refuses tells the time
   * too.
   *
   * @param utcNanos this machine's wall clock
   */
  public static ClockBracket bracket(String serverUrl, String caFile, LongSupplier utcNanos)
      throws InterruptedException {
    double low = Double.NEGATIVE_INFINITY;
    double high = Double.POSITIVE_INFINITY;
    int dates = 0;
    long begin = System.nanoTime();
    try (HttpFetch fetch = HttpFetch.trusting(caFile)) {
      URI uri = URI.create(serverUrl + "/v1/models");
      for (int i = 0; i < MOST && System.nanoTime() - begin < ENOUGH_NANOS; i++) {
        double sent = utcNanos.getAsLong() / 1e9;
        double date = fetch.get(uri, Map.of()).dateUtcSeconds();
        double received = utcNanos.getAsLong() / 1e9;
        if (!Double.isNaN(date)) {
          dates++;
          low = Math.max(low, date - received);
          high = Math.min(high, date + 1 - sent);
        }
        TimeUnit.NANOSECONDS.sleep(STEP_NANOS);
      }
    } catch (IOException e) {
      // The run itself will meet the same fault; here it means that nothing is known.
      return ClockBracket.UNKNOWN;
    }
    return low <= high && dates > 1 ? new ClockBracket(low, high, dates) : ClockBracket.UNKNOWN;
  }
}
