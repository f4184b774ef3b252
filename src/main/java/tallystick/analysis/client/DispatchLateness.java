package tallystick.analysis.client;

import tallystick.analysis.statistics.SampleSet;
import tallystick.runrecord.RequestRow;

/**
 * How long after its intended start a request was written, without the time to connect: the
 * client's own part of TTFT. Unit: nanoseconds in, seconds out.
 */
public final class DispatchLateness {
  /** The text of a longer prompt may not fit the socket's buffer; writing it waits for the peer. */
  private static final int MOST_TOKENS = 8_000;

  private static final double TOLERATED = 0.01;

  private final SampleSet all = new SampleSet();
  private final SampleSet unexplained = new SampleSet();
  private final OwnClock clock;

  /** Nothing read so far; the clock is the client's own. */
  DispatchLateness(OwnClock clock) {
    this.clock = clock;
  }

  /** Takes a measured request. */
  void read(RequestRow row) {
    if (row.times().started() >= 0) {
      all.add(ofClient(row));
      unexplained.add(ofClient(clock.of(row)));
    }
  }

  /** A request's delay; 0 where it was never started. Unit: nanoseconds. */
  static long ofClient(RequestRow row) {
    RequestRow.Times times = row.times();
    if (times.started() < 0) {
      return 0;
    }
    if (times.written() < 0 || !isShort(row)) {
      return times.started() - times.intended();
    }
    boolean isNew = times.connectStarted() >= 0 && times.connected() >= 0;
    long connecting = isNew ? times.connected() - times.connectStarted() : 0;
    return times.written() - times.intended() - connecting;
  }

  /** P99 of all requests. */
  public double p99Seconds() {
    return all.plainQuantileSeconds(1 - TOLERATED);
  }

  /** The same without the time in which the client stood still. */
  public double unexplainedSeconds() {
    return unexplained.plainQuantileSeconds(1 - TOLERATED);
  }

  public SampleSet samples() {
    return all;
  }

  private static boolean isShort(RequestRow row) {
    int tokens = Math.max(row.promptTokens(), row.usage().promptTokens());
    return tokens >= 0 && tokens <= MOST_TOKENS;
  }
}
