package tallystick.analysis.statistics;

import java.util.Locale;
import java.util.function.LongPredicate;

/** Which ranks carry a percentile and its confidence interval; ranks count from 1. */
public final class OrderStatistics {
  /** Confidence of every percentile's interval. */
  public static final double CONFIDENCE = 0.95;

  /** The levels every distribution is reported at. */
  public static final double[] LEVELS = {0.5, 0.9, 0.95, 0.99, 0.999};

  /** Samples from which the tail's mass is known to ±50 %, for each level. */
  private static final long[] QUIET_COUNTS = {20, 188, 375, 2000, 20000};

  /** A rank that does not exist: the interval is open on that side. */
  static final long NO_RANK = 0;

  /** Ranks of the two ends of an interval. */
  record Ranks(long low, long high) {}

  private OrderStatistics() {}

  /** Rank of the quantile: {@code ceil(level n)}, at least 1. */
  public static long rank(double level, long count) {
    // The small term undoes the binary error of levels such as 0.95, so that 0.95 of 20 is 19.
    return Math.max(1, (long) Math.ceil(level * count - 1e-9 * Math.max(1, count * 1e-6)));
  }

  /**
   * Equal-tailed, distribution-free interval of a quantile, whose samples are worth so many
   * independent ones. An end is the first rank that is
   * proven to lie beyond the quantile, see {@link GoodShare}.
   */
  static Ranks interval(double level, double confidence, long count, double worth) {
    double tail = (1 - confidence) / 2;
    long low =
        firstTrue(
                rank -> !new GoodShare(rank - 1, count, worth).misses(level, tail), 1, count + 1)
            - 1;
    long high =
        firstTrue(rank -> new GoodShare(rank, count, worth).reaches(level, tail), 1, count + 1);
    return new Ranks(low, high > count ? NO_RANK : high);
  }

  /** Smallest count for which both ends of the interval exist. */
  public static long neededCount(double level, double confidence) {
    double tail = (1 - confidence) / 2;
    double extreme = Math.max(level, 1 - level);
    long count = (long) Math.floor(Math.log(tail) / Math.log(extreme));
    while (Math.pow(extreme, count) > tail) {
      count++;
    }
    return count;
  }

  /** Whether the tail above one of {@link #LEVELS} is known worse than to ±50 %. */
  static boolean isNoisy(int levelIndex, long count) {
    return count < QUIET_COUNTS[levelIndex];
  }

  /** The reason a percentile is refused, for example {@code n=40, need 72}. */
  public static String refusal(double level, long count) {
    return String.format(Locale.ROOT, "n=%d, need %d", count, neededCount(level, CONFIDENCE));
  }

  /**
   * The smallest number from one up to another, that one excluded, that passes a test which all
   * larger ones pass as well; the end where none does.
   */
  public static long firstTrue(LongPredicate test, long from, long end) {
    long start = from;
    long known = end;
    while (start < known) {
      long middle = start + (known - start) / 2;
      if (test.test(middle)) {
        known = middle;
      } else {
        start = middle + 1;
      }
    }
    return known;
  }
}
