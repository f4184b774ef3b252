package tallystick.analysis;

import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Times;

/** The client's latencies, gathered in one pass. */
final class LatencySamples {
  private final SampleSet ttftFromIntended = new SampleSet();
  private final SampleSet ttftFromStart = new SampleSet();
  private final SampleSet ttftFromWritten;
  private final SampleSet e2eFromIntended = new SampleSet();
  private final SampleSet e2eFromStart = new SampleSet();
  private final SampleSet e2eFromWritten;
  private final SampleSet endFromWritten;
  private final SampleSet tpot = new SampleSet();
  private final SampleSet chunkGaps = new SampleSet();
  private final SampleSet tokenGaps = new SampleSet();
  private final SampleSet largestGaps = new SampleSet();
  private final SampleSet lateness = new SampleSet();
  private long ttftOfFailed;
  private double decodeSeconds;
  private long decodeTokens;

  /**
   * Nothing read so far.
   *
   * @param ttftEdges the engine's edges in seconds, at which samples are counted from raw values
   * @param e2eEdges the same for E2E
   */
  LatencySamples(double[] ttftEdges, double[] e2eEdges) {
    ttftFromWritten = SampleSet.countingAt(ttftEdges);
    e2eFromWritten = SampleSet.countingAt(e2eEdges);
    endFromWritten = SampleSet.countingAt(e2eEdges);
  }

  /** Takes a measured request with so many answers. */
  void read(RequestRow row, int choices) {
    Times times = row.times();
    if (times.started() >= 0) {
      lateness.add(times.started() - times.intended());
    }
    if (row.hasFirstToken()) {
      readFirstToken(row);
    }
    if (row.ending().outcome() == Outcome.OK && row.hasFirstToken()) {
      readEnd(row);
      // Several answers share one stream, so neighbouring chunks need not belong to one answer.
      if (choices == 1) {
        readGaps(row);
      }
    }
  }

  RunAnalysis.ClientLatencies latencies() {
    return new RunAnalysis.ClientLatencies(
        ttftFromIntended.distribution(),
        ttftFromStart.distribution(),
        ttftFromWritten.distribution(),
        e2eFromIntended.distribution(),
        e2eFromStart.distribution(),
        e2eFromWritten.distribution(),
        tpot.distribution(),
        chunkGaps.distribution(),
        tokenGaps.distribution(),
        largestGaps.distribution(),
        ttftOfFailed);
  }

  SampleSet lateness() {
    return lateness;
  }

  SampleSet ttftFromWritten() {
    return ttftFromWritten;
  }

  SampleSet e2eFromWritten() {
    return e2eFromWritten;
  }

  /** Request written to the end of the stream, which holds even an engine's last silent step. */
  SampleSet endFromWritten() {
    return endFromWritten;
  }

  SampleSet tpot() {
    return tpot;
  }

  SampleSet chunkGaps() {
    return chunkGaps;
  }

  long ttftOfFailed() {
    return ttftOfFailed;
  }

  /** Sum of last minus first token over the requests whose tokens are known. */
  double decodeSeconds() {
    return decodeSeconds;
  }

  /** Sum of their tokens, less one for each request. */
  long decodeTokens() {
    return decodeTokens;
  }

  private void readFirstToken(RequestRow row) {
    long first = row.firstTokenNanos();
    ttftFromIntended.add(first - row.times().intended());
    ttftFromStart.add(first - row.times().started());
    if (row.times().written() >= 0) {
      ttftFromWritten.add(first - row.times().written());
    }
    if (row.ending().outcome() != Outcome.OK) {
      ttftOfFailed++;
    }
  }

  private void readEnd(RequestRow row) {
    long last = row.lastTokenNanos();
    e2eFromIntended.add(last - row.times().intended());
    e2eFromStart.add(last - row.times().started());
    if (row.times().written() >= 0) {
      e2eFromWritten.add(last - row.times().written());
      endFromWritten.add(row.times().ended() - row.times().written());
    }
  }

  private void readGaps(RequestRow row) {
    long[] arrivals = row.chunks().arrivalNanos();
    long largest = RequestRow.NEVER;
    for (int i = 1; i < arrivals.length; i++) {
      long gap = arrivals[i] - arrivals[i - 1];
      chunkGaps.add(gap);
      largest = Math.max(largest, gap);
    }
    if (largest >= 0) {
      largestGaps.add(largest);
    }
    readTokenGaps(arrivals, row.chunks().tokens());
    int tokens = TokenCount.of(row);
    if (tokens >= 2 && arrivals.length >= 1) {
      long decode = arrivals[arrivals.length - 1] - arrivals[0];
      tpot.add(decode / (tokens - 1));
      decodeSeconds += decode / 1e9;
      decodeTokens += tokens - 1;
    }
  }

  private void readTokenGaps(long[] arrivals, int[] tokens) {
    long waited = 0;
    for (int i = 1; i < arrivals.length; i++) {
      waited += arrivals[i] - arrivals[i - 1];
      if (tokens[i] == RequestRow.UNKNOWN) {
        waited = 0;
      } else if (tokens[i] > 0) {
        tokenGaps.add(waited / tokens[i], tokens[i]);
        waited = 0;
      }
    }
  }
}
