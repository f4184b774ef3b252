package tallystick.analysis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.StallCandidates;
import tallystick.analysis.engine.EngineColumns;
import tallystick.analysis.engine.IntervalGrid;
import tallystick.analysis.result.Latency;

/**
 * Tells a pause of the client from a stall of the engine: all streams at once, while the engine
 * went on, or while the harness noted that it stood still itself. That the engine went on is told
 * by its own gaps: in a stall of its own it observes one as long for each stream. Without those
 * buckets its token rate must do.
 */
final class StallSides {
  /** When its pause ends, a client reads all its streams at once. */
  private static final long TOGETHER_NANOS = 20_000_000L;

  /** When four of five streams stand still at once, what they share stood still. */
  private static final double SHARE_OF_STREAMS = 0.8;
  private static final int FEWEST_STREAMS = 5; // Fewer may stand still together by chance

  /** An engine whose counters rose by 90 % of the usual did not stop. */
  private static final double WENT_ON = 0.9;

  /** An engine that observed fewer long gaps than this share of the stalls did not make them. */
  private static final double OBSERVED = 0.5;

  /** A stall shorter than this share of an interval leaves no trace in its token rate. */
  private static final double VISIBLE_SHARE = 0.2;

  private static final int NEIGHBOURS = 3; // Three intervals on each side tell the usual rate

  private final IntervalGrid grid;
  private final MeasuredWindow window;
  private final StallCandidates.ActiveStreams streams;
  private final HarnessAccount harness;
  private final double[] tokensPerSecond;
  private final double[] gapEdges;
  private final Map<Double, double[]> longGapsByEdge = new HashMap<>();

  /**
   * Sides of the stalls of a run.
   *
   * @param gapEdges finite edges of the engine's gap histogram, ascending; empty if it has none
   */
  StallSides(
      IntervalGrid grid,
      MeasuredWindow window,
      StallCandidates.ActiveStreams streams,
      HarnessAccount harness,
      double[] gapEdges) {
    this.grid = grid;
    this.window = window;
    this.streams = streams;
    this.harness = harness;
    this.gapEdges = gapEdges.clone();
    this.tokensPerSecond = grid.growth(EngineColumns.GENERATION_TOKENS);
    for (int i = 0; i < tokensPerSecond.length; i++) {
      tokensPerSecond[i] /= grid.endSeconds(i) - grid.startSeconds(i);
    }
  }

  /**
   * Sorts stalls by side.
   *
   * @param stalls ends and lengths in the order of their ends
   * @param engineSide receives those that are not the client's
   * @return how many are the client's
   */
  long split(long[][] stalls, List<long[]> engineSide) {
    long clientSide = 0;
    int start = 0;
    while (start < stalls.length) {
      int end = start;
      while (end + 1 < stalls.length && stalls[end + 1][0] - stalls[start][0] <= TOGETHER_NANOS) {
        end++;
      }
      if (isClientSide(stalls, start, end)) {
        clientSide += end - start + 1;
      } else {
        engineSide.addAll(Arrays.asList(stalls).subList(start, end + 1));
      }
      start = end + 1;
    }
    return clientSide;
  }

  private boolean isClientSide(long[][] stalls, int start, int end) {
    long shortest = Long.MAX_VALUE;
    for (int i = start; i <= end; i++) {
      shortest = Math.min(shortest, stalls[i][1]);
    }
    long endNanos = stalls[start][0];
    if (harness.still().isMostOf(endNanos - shortest, endNanos)) {
      return true;
    }
    // Streams that began in the burst after a pause were not held up by it.
    int active = streams.known() ? streams.at(endNanos - shortest / 2) : 0;
    int stalled = end - start + 1;
    if (active < FEWEST_STREAMS || stalled < SHARE_OF_STREAMS * active) {
      return false;
    }
    double edge = edgeBelow(shortest / 1e9);
    return Double.isNaN(edge)
        ? tokensWentOn(endNanos, shortest / 1e9)
        : gapsObserved(endNanos, edge) < OBSERVED * stalled;
  }

  /** The largest edge that every one of these stalls surely exceeds; NaN if there is none. */
  private double edgeBelow(double seconds) {
    return Arrays.stream(gapEdges)
        .filter(edge -> edge <= seconds / 2)
        .max()
        .orElse(Double.NaN);
  }

  /** Gaps above an edge that the engine observed around a moment. */
  private double gapsObserved(long nanos, double edge) {
    int interval = grid.indexOf(window.secondsAfterOrigin(nanos));
    if (interval < 0) {
      return Double.POSITIVE_INFINITY;
    }
    double[] longGaps = longGaps(edge);
    double observed = 0;
    for (int i = Math.max(0, interval - 1); i <= Math.min(grid.size() - 1, interval + 1); i++) {
      observed += longGaps[i];
    }
    return observed;
  }

  /** Gaps above an edge per interval; kept, because many stalls ask for the same edge. */
  private double[] longGaps(double edge) {
    return longGapsByEdge.computeIfAbsent(
        edge,
        any -> {
          double[] all = grid.growth(EngineColumns.countOf(Latency.ITL));
          double[] below = grid.growth(EngineColumns.bucketOf(Latency.ITL, edge));
          Arrays.setAll(all, i -> all[i] - below[i]);
          return all;
        });
  }

  private boolean tokensWentOn(long endNanos, double stallSeconds) {
    int interval = grid.indexOf(window.secondsAfterOrigin(endNanos));
    if (interval < 0 || stallSeconds < VISIBLE_SHARE * grid.typicalSeconds()) {
      return false;
    }
    double usual = neighboursMedian(interval);
    // The stall may lie in the interval before the one in which it ended.
    double slowest =
        interval > 0
            ? Math.min(tokensPerSecond[interval], tokensPerSecond[interval - 1])
            : tokensPerSecond[interval];
    return usual > 0 && slowest >= WENT_ON * usual;
  }

  private double neighboursMedian(int interval) {
    double[] rates = new double[2 * NEIGHBOURS];
    int count = 0;
    for (int i = interval - 1 - NEIGHBOURS; i <= interval + NEIGHBOURS; i++) {
      boolean isNeighbour = i != interval && i != interval - 1;
      if (isNeighbour && i >= 0 && i < tokensPerSecond.length && count < rates.length) {
        rates[count++] = tokensPerSecond[i];
      }
    }
    double[] known = Arrays.copyOf(rates, count);
    Arrays.sort(known);
    return count == 0 ? 0 : known[count / 2];
  }
}
