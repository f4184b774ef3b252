package tallystick.analysis;

import java.util.BitSet;

/**
 * Good and bad requests in the order they were sent, two bits for each. Requests that suffer
 * together are worth fewer independent ones.
 */
final class BadInOrder {
  /** Beyond this index nothing is kept: 8 MiB of bits. */
  private static final int LARGEST_INDEX = 1 << 26;

  /** One in twenty independent series has a larger autocorrelation, in standard deviations. */
  private static final double CHANCE = 1.645;

  private final BitSet judged = new BitSet();
  private final BitSet bad = new BitSet();

  /** Notes a request by its place in the plan. */
  void note(int index, boolean isBad) {
    if (index < LARGEST_INDEX) {
      judged.set(index);
      bad.set(index, isBad);
    }
  }

  /**
   * Lag-1 autocorrelation of being bad, over neighbours among the judged requests; 0 where all are
   * alike, because then nothing is known of it.
   */
  double autocorrelation() {
    int count = judged.cardinality();
    int badCount = bad.cardinality();
    if (count < 2 || badCount == 0 || badCount == count) {
      return 0;
    }
    double mean = (double) badCount / count;
    double products = 0;
    double before = Double.NaN;
    for (int i = judged.nextSetBit(0); i >= 0; i = judged.nextSetBit(i + 1)) {
      double deviation = (bad.get(i) ? 1 : 0) - mean;
      products += Double.isNaN(before) ? 0 : before * deviation;
      before = deviation;
    }
    return products / (count * mean * (1 - mean));
  }

  /**
   * How many independent requests so many autocorrelated ones are worth: {@code n (1 - rho) / (1 +
   * rho)}. An autocorrelation that independent requests often show is taken for none.
   */
  static double effectiveCount(long count, double autocorrelation) {
    if (autocorrelation <= CHANCE / Math.sqrt(count)) {
      return count;
    }
    return Math.max(1, count * (1 - autocorrelation) / (1 + autocorrelation));
  }
}
