package tallystick.analysis.engine;

import java.util.Arrays;
import java.util.Optional;
import tallystick.scenario.Formatted;

/**
 * A histogram at one scrape, or what came in between two.
 *
 * @param edges upper edges of the buckets, ascending, the last one infinite
 * @param below observations at or below each edge
 * @param count all observations
 * @param sum of what was observed
 */
record HistogramValues(double[] edges, double[] below, double count, double sum) {
  /** Sums are added up in floating point. */
  private static final double ROUNDING = 1e-9;

  /** The sums that observations in these buckets can have. */
  private record Range(double least, double most) {}

  /** What came in between; empty over a restart, where nothing came or the edges are others. */
  Optional<HistogramValues> growthTo(HistogramValues now) {
    if (!Arrays.equals(edges, now.edges)
        || now.count < count
        || now.count == count && now.sum == sum) {
      return Optional.empty();
    }
    double[] grown = new double[below.length];
    for (int i = 0; i < grown.length; i++) {
      grown[i] = now.below[i] - below[i];
      if (grown[i] < 0) {
        return Optional.empty();
      }
    }
    return Optional.of(new HistogramValues(edges, grown, now.count - count, now.sum - sum));
  }

  /** Whether both say the same. */
  boolean isSameAs(HistogramValues other) {
    return Arrays.equals(edges, other.edges) && Arrays.equals(below, other.below)
        && count == other.count && sum == other.sum;
  }

  /** Why these cannot be observations that came in between: a bucket holds the one below it. */
  Optional<String> bucketFault() {
    double under = 0;
    for (double all : below) {
      if (all < under) {
        return Optional.of("a bucket grew by more than the next one, which holds it");
      }
      under = all;
    }
    return Optional.empty();
  }

  /** Why the sum cannot be the sum of these observations. */
  Optional<String> sumFault() {
    Range range = range();
    return isAtLeast(sum, range.least()) && isAtMost(sum, range.most())
        ? Optional.empty()
        : Optional.of(Formatted.of(
            "a sum of %s between two scrapes, its buckets allow %s to %s",
            number(sum), number(range.least()), number(range.most())));
  }

  static boolean isAtLeast(double sum, double least) {
    return sum >= least - rounding(sum, least);
  }

  static boolean isAtMost(double sum, double most) {
    return sum <= most + (Double.isInfinite(most) ? 0 : rounding(sum, most));
  }

  private static double rounding(double sum, double bound) {
    return ROUNDING * (1 + Math.abs(sum) + Math.abs(bound));
  }

  /** Each observation at its lower edge. */
  double least() {
    return range().least();
  }

  /** Each observation at its upper edge. */
  double most() {
    return range().most();
  }

  private Range range() {
    double least = 0;
    double most = 0;
    double under = 0;
    for (int i = 0; i < edges.length; i++) {
      double here = below[i] - under;
      if (here > 0) {
        least += here * (i == 0 ? lowest(edges[0]) : edges[i - 1]);
        most += here * edges[i];
      }
      under = below[i];
    }
    return new Range(least, most);
  }

  /** Lengths of time and counts are not negative. */
  private static double lowest(double firstEdge) {
    return firstEdge >= 0 ? 0 : Double.NEGATIVE_INFINITY;
  }

  static String number(double value) {
    return Formatted.of("%.6g", value);
  }
}
