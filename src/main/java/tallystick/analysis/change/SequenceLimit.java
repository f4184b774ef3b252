package tallystick.analysis.change;

import java.util.Arrays;
import java.util.stream.IntStream;
import tallystick.analysis.engine.EngineColumns;

/**
 * How many requests engines run at once while others wait, where the gauges show such a limit:
 * whenever requests wait, about as many run, and the KV cache has room for more. In vLLM that is
 * {@code --max-num-seqs}. Only where one engine serves: of several, one may be full alone.
 */
final class SequenceLimit {
  /** Fewer scrapes with requests waiting show no limit. */
  private static final int SCRAPES = 5;

  /** Of those scrapes, so many must find the engine at its limit. */
  private static final double AT_LIMIT = 0.8;

  /** So much of the most that ran is still the limit: a place is free between two steps. */
  private static final double LEVEL = 0.9;

  /** A cache as full as that makes requests wait itself. */
  private static final double FULL = 0.8;

  private SequenceLimit() {}

  /** The limit in requests; NaN where none is seen. */
  static double of(PeriodSums period) {
    double[] running = period.column(EngineColumns.RUNNING);
    double[] waiting = period.column(EngineColumns.WAITING);
    double[] whileOthersWait =
        IntStream.range(0, running.length)
            .filter(i -> waiting[i] >= 1)
            .mapToDouble(i -> running[i])
            .toArray();
    // What ran at once while nobody waited fits, too: fewer beside a queue are no limit.
    double most = mostAtOnce(period);
    double level = Math.min(LEVEL * most, most - 1);
    long there = Arrays.stream(whileOthersWait).filter(value -> value >= level).count();
    boolean isSeen =
        whileOthersWait.length >= SCRAPES && there >= AT_LIMIT * whileOthersWait.length;
    return isSeen && period.engines() == 1 && isRoomInCache(period) ? most : Double.NaN;
  }

  /** The most requests that ran at once; NaN where that is not known. */
  static double mostAtOnce(PeriodSums period) {
    return most(period.column(EngineColumns.RUNNING));
  }

  private static boolean isRoomInCache(PeriodSums period) {
    double fullest = most(period.column(EngineColumns.KV_USAGE));
    return fullest > 0 && fullest < FULL;
  }

  private static double most(double[] values) {
    return Arrays.stream(values)
        .filter(value -> !Double.isNaN(value))
        .max()
        .orElse(Double.NaN);
  }
}
