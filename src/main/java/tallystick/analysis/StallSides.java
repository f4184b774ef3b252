package tallystick.analysis;

import java.util.Arrays;
import java.util.List;

/**
 * Tells a pause of the client from a stall of the engine: all streams at once, while the engine
 * went on, or while the harness noted that it stood still itself.
 */
final class StallSides {
  private static final long TOGETHER_NANOS = 20_000_000L;
  private static final double SHARE_OF_STREAMS = 0.8;
  private static final int FEWEST_STREAMS = 5;
  private static final double WENT_ON = 0.9;

  /** A stall shorter than this share of an interval leaves no trace in its token rate. */
  private static final double VISIBLE_SHARE = 0.2;

  private static final int NEIGHBOURS = 3;

  private final IntervalGrid grid;
  private final Window window;
  private final StallCandidates.ActiveStreams streams;
  private final HarnessAccount harness;
  private final double[] tokensPerSecond;

  StallSides(
      IntervalGrid grid,
      Window window,
      StallCandidates.ActiveStreams streams,
      HarnessAccount harness) {
    this.grid = grid;
    this.window = window;
    this.streams = streams;
    this.harness = harness;
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
    if (harness.stoodStill(endNanos - shortest, endNanos)) {
      return true;
    }
    int active = streams.known() ? streams.at(endNanos) : 0;
    boolean everybody = end - start + 1 >= SHARE_OF_STREAMS * active;
    return active >= FEWEST_STREAMS && everybody && engineWentOn(endNanos, shortest / 1e9);
  }

  private boolean engineWentOn(long endNanos, double stallSeconds) {
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
