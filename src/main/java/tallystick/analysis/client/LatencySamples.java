package tallystick.analysis.client;

import java.util.Optional;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Times;

/** The client's latencies, gathered in one pass. */
public final class LatencySamples {
  private final TimedSamples ttftFromIntended;
  private final TimedSamples ttftFromStart;
  private final TimedSamples ttftFromWritten;
  private final TimedSamples e2eFromIntended;
  private final TimedSamples e2eFromStart;
  private final TimedSamples e2eFromWritten;
  private final SampleSet endFromWritten;
  private final TimedSamples tpot;
  private final TimedSamples chunkGaps;

  /** The chunks' own as long as every chunk carried one token. */
  private TimedSamples tokenGaps;

  private final TimedSamples largestGaps;
  private final TimedSamples lateness;
  private final ThinkingSamples thinking;
  private Optional<RunAnalysis.ClientLatencies> latencies = Optional.empty();
  private long ttftOfFailed;
  private double decodeSeconds;
  private long decodeTokens;
  private long firstUntold;
  private boolean unstreamed;

  /**
   * Nothing read so far.
   *
   * @param ttftEdges the engine's edges in seconds, at which samples are counted from raw values
   * @param e2eEdges the same for E2E
   * @param itlEdges the same for gaps
   * @param time units of the window
   */
  LatencySamples(double[] ttftEdges, double[] e2eEdges, double[] itlEdges, TimeUnits time) {
    ttftFromIntended = new TimedSamples(new SampleSet(), time);
    ttftFromStart = new TimedSamples(new SampleSet(), time);
    ttftFromWritten = new TimedSamples(SampleSet.countingAt(ttftEdges), time);
    e2eFromIntended = new TimedSamples(new SampleSet(), time);
    e2eFromStart = new TimedSamples(new SampleSet(), time);
    e2eFromWritten = new TimedSamples(SampleSet.countingAt(e2eEdges), time);
    endFromWritten = SampleSet.countingAt(e2eEdges);
    tpot = new TimedSamples(new SampleSet(), time);
    chunkGaps = new TimedSamples(SampleSet.countingAt(itlEdges), time);
    tokenGaps = chunkGaps;
    largestGaps = new TimedSamples(new SampleSet(), time);
    lateness = new TimedSamples(new SampleSet(), time);
    thinking = new ThinkingSamples(time);
  }

  /** Takes how late a measured request began. */
  void readLateness(RequestRow row) {
    Times times = row.times();
    if (times.started() >= 0) {
      lateness.add(times.started() - times.intended(), times.started());
    }
  }

  /** Takes a measured request with so many answers. */
  void read(RequestRow row, int choices) {
    if (row.hasFirstToken()) {
      readFirstToken(row);
    }
    unstreamed |= row.isUnstreamed();
    if (row.ending().outcome() == Outcome.OK) {
      readEnd(row);
      thinking.read(row);
      // Several answers share one stream, so neighbouring chunks need not belong to one answer.
      if (choices == 1 && row.hasFirstToken()) {
        readGaps(row);
      }
    }
  }

  /** The distributions of all that was read; what is asked first is the end of the reading. */
  public RunAnalysis.ClientLatencies latencies() {
    if (latencies.isEmpty()) {
      latencies = Optional.of(distributions());
    }
    return latencies.get();
  }

  private RunAnalysis.ClientLatencies distributions() {
    Optional<String> whyNone = whyNoMoments();
    return new RunAnalysis.ClientLatencies(
        ttftFromIntended.distribution(whyNone),
        ttftFromStart.distribution(whyNone),
        ttftFromWritten.distribution(whyNone),
        e2eFromIntended.distribution(),
        e2eFromStart.distribution(),
        e2eFromWritten.distribution(),
        tpot.distribution(whyNone),
        chunkGaps.distribution(whyNone),
        tokenGaps.distribution(whyNone),
        largestGaps.distribution(whyNone),
        ttftOfFailed,
        thinking.thinking(whyNone));
  }

  /** Why no token's moment is known; empty where answers are streams. */
  public Optional<String> whyNoMoments() {
    return unstreamed ? Optional.of(Distribution.NOT_STREAMED) : Optional.empty();
  }

  public TimedSamples lateness() {
    return lateness;
  }

  public SampleSet ttftFromWritten() {
    return ttftFromWritten.samples();
  }

  public SampleSet e2eFromWritten() {
    return e2eFromWritten.samples();
  }

  /** Request written to the end of the stream, which holds even an engine's last silent step. */
  public SampleSet endFromWritten() {
    return endFromWritten;
  }

  public SampleSet tpot() {
    return tpot.samples();
  }

  public SampleSet chunkGaps() {
    return chunkGaps.samples();
  }

  /** Those from the intended start, and the gaps, with their times. */
  TimedSamples timedTtft() {
    return ttftFromIntended;
  }

  TimedSamples timedE2e() {
    return e2eFromIntended;
  }

  TimedSamples timedChunkGaps() {
    return chunkGaps;
  }

  TimedSamples timedLargestGaps() {
    return largestGaps;
  }

  /** Sum of last minus first chunk over the requests that have a TPOT. */
  public double decodeSeconds() {
    return decodeSeconds;
  }

  /** Sum of the tokens that came after their first chunks. */
  public long decodeTokens() {
    return decodeTokens;
  }

  /** Good answers without a TPOT, because nobody told what their first chunk carried. */
  public long firstUntold() {
    return firstUntold;
  }

  private void readFirstToken(RequestRow row) {
    long first = row.firstTokenNanos();
    ttftFromIntended.add(first - row.times().intended(), first);
    ttftFromStart.add(first - row.times().started(), first);
    if (row.times().written() >= 0) {
      ttftFromWritten.add(first - row.times().written(), first);
    }
    if (row.ending().outcome() != Outcome.OK) {
      ttftOfFailed++;
    }
  }

  private void readEnd(RequestRow row) {
    long last = row.lastTokenNanos();
    e2eFromIntended.add(last - row.times().intended(), last);
    e2eFromStart.add(last - row.times().started(), last);
    if (row.times().written() >= 0) {
      e2eFromWritten.add(last - row.times().written(), last);
      endFromWritten.add(row.times().ended() - row.times().written());
    }
  }

  private void readGaps(RequestRow row) {
    long[] arrivals = row.chunks().arrivalNanos();
    int[] carried = row.chunks().tokens();
    if (tokenGaps == chunkGaps && !isOneEach(carried)) {
      tokenGaps = chunkGaps.copy(Integer.MAX_VALUE);
    }
    chunkGaps.addGaps(arrivals);
    if (arrivals.length > 1) {
      largestGaps.add(row.chunks().largestGapNanos(), arrivals[arrivals.length - 1]);
    }
    if (tokenGaps != chunkGaps) {
      readTokenGaps(arrivals, carried);
    }
    int later = row.laterTokens();
    if (later > 0) {
      tpot.add(row.timePerTokenNanos(), row.lastTokenNanos());
      decodeSeconds += (row.lastTokenNanos() - row.firstTokenNanos()) / 1e9;
      decodeTokens += later;
    }
    firstUntold += later < 0 && row.outputTokens() >= 0 ? 1 : 0;
  }

  private static boolean isOneEach(int[] carried) {
    for (int i = 1; i < carried.length; i++) {
      if (carried[i] != 1) {
        return false;
      }
    }
    return true;
  }

  private void readTokenGaps(long[] arrivals, int[] tokens) {
    long waited = 0;
    for (int i = 1; i < arrivals.length; i++) {
      waited += arrivals[i] - arrivals[i - 1];
      if (tokens[i] == RequestRow.UNKNOWN) {
        waited = 0;
      } else if (tokens[i] > 0) {
        tokenGaps.add(waited / tokens[i], arrivals[i], tokens[i]);
        waited = 0;
      }
    }
  }
}
