package tallystick.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** {@code histogram_quantile} over cumulative buckets, as each version of Prometheus does it. */
public final class HistogramQuantile {
  /** Dips below this relative size are noise of floating point to 3.x. */
  private static final double SMALL_DIP = 1e-12;

  private HistogramQuantile() {}

  /**
   * One cumulative bucket.
   *
   * @param edge upper edge, infinite for the last
   * @param count observations, or their rate, at or below it
   */
  public record Bucket(double edge, double count) {}

  /**
   * The interpolated quantile: what a dashboard shows, not what the observations were. NaN without
   * observations, without a {@code +Inf} bucket, or with fewer than two buckets.
   */
  public static double of(double level, List<Bucket> given, PrometheusVersion version) {
    if (Double.isNaN(level) || given.isEmpty()) {
      return Double.NaN;
    }
    if (level < 0) {
      return Double.NEGATIVE_INFINITY;
    }
    if (level > 1) {
      return Double.POSITIVE_INFINITY;
    }
    List<Bucket> buckets = monotone(merged(given), version);
    Bucket all = buckets.getLast();
    if (all.edge() != Double.POSITIVE_INFINITY || buckets.size() < 2 || all.count() == 0) {
      return Double.NaN;
    }
    return interpolated(level * all.count(), buckets);
  }

  private static double interpolated(double rank, List<Bucket> buckets) {
    int infinite = buckets.size() - 1;
    int found = 0;
    while (found < infinite && !(buckets.get(found).count() >= rank)) {
      found++;
    }
    if (found == infinite) {
      return buckets.get(infinite - 1).edge();
    }
    Bucket hit = buckets.get(found);
    if (found == 0) {
      return hit.edge() <= 0 ? hit.edge() : hit.edge() * (rank / hit.count());
    }
    Bucket below = buckets.get(found - 1);
    double share = (rank - below.count()) / (hit.count() - below.count());
    return below.edge() + (hit.edge() - below.edge()) * share;
  }

  /** Sorted by edge; buckets of the same edge are added up. */
  private static List<Bucket> merged(List<Bucket> given) {
    TreeMap<Double, Double> counts = new TreeMap<>();
    given.forEach(bucket -> counts.merge(bucket.edge(), bucket.count(), Double::sum));
    return counts.entrySet().stream().map(e -> new Bucket(e.getKey(), e.getValue())).toList();
  }

  private static List<Bucket> monotone(List<Bucket> buckets, PrometheusVersion version) {
    List<Bucket> risen = new ArrayList<>();
    double highest = Double.NEGATIVE_INFINITY;
    for (Bucket bucket : buckets) {
      boolean noise =
          version == PrometheusVersion.V3 && isAlmostEqual(bucket.count(), highest);
      if (bucket.count() > highest && !noise) {
        highest = bucket.count();
      }
      boolean keep = !noise && !(bucket.count() < highest);
      risen.add(keep ? bucket : new Bucket(bucket.edge(), highest));
    }
    return risen;
  }

  private static boolean isAlmostEqual(double a, double b) {
    if (Double.isInfinite(b)) {
      return false;
    }
    if (a == b) {
      return true;
    }
    double sum = Math.abs(a) + Math.abs(b);
    double difference = Math.abs(a - b);
    if (a == 0 || b == 0 || sum < Double.MIN_NORMAL) {
      return difference < SMALL_DIP * Double.MIN_NORMAL;
    }
    return difference / Math.min(sum, Double.MAX_VALUE) < SMALL_DIP;
  }
}
