package tallystick.analysis.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Places where a series changed its level: E-divisive, that is the split with the largest energy
 * distance, kept if a permutation of the series seldom reaches it; then the same on both sides.
 */
public final class LevelChanges {
  /** Sums in another order differ in their last digits; an equal split is still equal. */
  private static final double ROUNDING = 1e-12;

  private final double[] series;
  private final Rule rule;
  private final BlockBootstrap random = new BlockBootstrap(BlockBootstrap.SEED);
  private final List<Split> found = new ArrayList<>();

  /**
   * What counts as a change.
   *
   * @param shortestSegment fewest values on a side
   * @param permutations how many tell what chance does
   * @param pLimit how seldom they may reach the split
   * @param exponent of distances, above 0 and below 2; the larger, the more the mean counts
   */
  public record Rule(int shortestSegment, int permutations, double pLimit, double exponent) {}

  /**
   * A change.
   *
   * @param from first value of the stretch that was split
   * @param at first value after the change
   * @param to end of the stretch
   * @param pValue how often chance does as much
   */
  public record Split(int from, int at, int to, double pValue) {}

  private record Best(int at, double distance) {}

  private LevelChanges(double[] series, Rule rule) {
    this.series = series;
    this.rule = rule;
  }

  /** The changes, the earliest first; the same series gives the same ones. */
  public static List<Split> in(double[] series, Rule rule) {
    LevelChanges search = new LevelChanges(series, rule);
    search.search(0, series.length);
    search.found.sort(Comparator.comparingInt(Split::at));
    return search.found;
  }

  /** How often values that follow one another, and stay at one level, make a split like this. */
  public static double ifCorrelated(double[] series, Split split, Rule rule) {
    return CorrelatedStep.pValue(
        Arrays.copyOfRange(series, split.from(), split.to()), rule.shortestSegment(),
        rule.permutations());
  }

  /** Fewer values than these cannot show a change, however large it is. */
  public static int fewest(Rule rule) {
    int half = rule.shortestSegment();
    while (2 / orders(half) > rule.pLimit()) {
      half++;
    }
    return 2 * half;
  }

  /** In how many ways twice as many things are parted in halves. */
  private static double orders(int half) {
    double orders = 1;
    for (int i = 1; i <= half; i++) {
      orders *= (double) (half + i) / i;
    }
    return orders;
  }

  private void search(int from, int to) {
    if (to - from < 2 * rule.shortestSegment()) {
      return;
    }
    double[] segment = Arrays.copyOfRange(series, from, to);
    Best best = bestSplit(segment);
    double reached = best.distance() - ROUNDING * Math.abs(best.distance());
    int times = 0;
    for (int i = 0; i < rule.permutations(); i++) {
      times += bestSplit(permuted(segment)).distance() >= reached ? 1 : 0;
    }
    double pValue = (1.0 + times) / (1 + rule.permutations());
    if (pValue > rule.pLimit()) {
      return;
    }
    int at = from + best.at();
    found.add(new Split(from, at, to, pValue));
    search(from, at);
    search(at, to);
  }

  /** The split with the largest scaled energy distance; each further one moves one value over. */
  private Best bestSplit(double[] segment) {
    int length = segment.length;
    double left = 0;
    double between = 0;
    double right = 0;
    for (int i = 0; i < length; i++) {
      right += distances(segment, i, i + 1, length);
    }
    Best best = new Best(rule.shortestSegment(), Double.NEGATIVE_INFINITY);
    for (int split = 1; split <= length - rule.shortestSegment(); split++) {
      double toLeft = distances(segment, split - 1, 0, split - 1);
      double toRight = distances(segment, split - 1, split, length);
      left += toLeft;
      right -= toRight;
      between += toRight - toLeft;
      if (split >= rule.shortestSegment()) {
        double distance = energy(split, length - split, between, left, right);
        best = distance > best.distance() ? new Best(split, distance) : best;
      }
    }
    return best;
  }

  private double distances(double[] segment, int of, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += Math.pow(Math.abs(segment[of] - segment[i]), rule.exponent());
    }
    return sum;
  }

  private static double energy(
      double before, double after, double between, double left, double right) {
    double energy =
        2 * between / (before * after)
            - 2 * left / (before * (before - 1))
            - 2 * right / (after * (after - 1));
    return energy * before * after / (before + after);
  }

  private double[] permuted(double[] values) {
    double[] permuted = values.clone();
    for (int i = permuted.length - 1; i > 0; i--) {
      int other = random.index(i + 1);
      double kept = permuted[i];
      permuted[i] = permuted[other];
      permuted[other] = kept;
    }
    return permuted;
  }
}
