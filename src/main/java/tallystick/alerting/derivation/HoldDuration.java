package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.distribution.BinomialDistribution;
import tallystick.alerting.derivation.SignalOutcome.Evidence;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.promql.Expression;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.PromqlEvaluator;
import tallystick.promql.PromqlParser;
import tallystick.promql.SeriesStore;

/** How long a condition must hold before it is no longer what healthy windows show by chance. */
public final class HoldDuration {
  private static final long MOST_MILLIS = 5 * 60_000L; // a range holds that long by itself
  /** The range of the rules. */
  private static final long RANGE_MILLIS = 5 * 60_000L;

  private static final int ENOUGH_RUNS = 59; // 0.95 to the 59th is below 0.05
  private static final double LEVEL = 0.95; // the quantile, and its confidence

  private HoldDuration() {}

  /**
   * Lengths, in evaluations, of the unbroken stretches in which a condition held while everything
   * its range covers lay in windows that met the target. An evaluation whose range reaches back
   * into anything else remembers what is over, so it tells nothing about health.
   *
   * @param condition PromQL with a comparison over a range of five minutes
   * @param run the run of the store; only its windows count
   */
  public static List<Integer> healthyRuns(
      SeriesStore store,
      String condition,
      WindowTable table,
      String run,
      long windowMillis,
      long intervalMillis) {
    Expression expression = PromqlParser.parse(condition);
    PromqlEvaluator evaluator = new PromqlEvaluator(store, PrometheusVersion.V2_42);
    List<Integer> lengths = new ArrayList<>();
    for (long[] span : healthySpans(table, run, windowMillis)) {
      int length = 0;
      for (long at = span[0] + RANGE_MILLIS; at <= span[1]; at += intervalMillis) {
        boolean holds = !evaluator.vector(expression, at).elements().isEmpty();
        if (!holds && length > 0) {
          lengths.add(length);
        }
        length = holds ? length + 1 : 0;
      }
      if (length > 0) {
        lengths.add(length);
      }
    }
    return lengths;
  }

  /** Begin and end of the stretches of windows that met the target without a gap. */
  private static List<long[]> healthySpans(WindowTable table, String run, long windowMillis) {
    List<long[]> spans = new ArrayList<>();
    for (LabelledWindow window : table.all()) {
      WindowRow.Place place = window.row().place();
      if (window.label() != Verdict.MET || !place.run().equals(run)) {
        continue;
      }
      long end = Math.round(place.endSeconds() * 1000);
      long start = end - windowMillis;
      boolean goesOn = !spans.isEmpty() && spans.getLast()[1] == start;
      spans.add(new long[] {goesOn ? spans.removeLast()[0] : start, end});
    }
    return spans;
  }

  /**
   * The smallest multiple of the interval above the upper 95 % quantile of the lengths: their
   * order statistic with 59 or more of them, else the longest; at most five minutes, because a
   * range of five minutes holds that long by itself. Nothing to wait for where health never shows
   * the condition: no length, and none of 20 healthy windows or more above the threshold. What all
   * parts of a range stay below, the range stays below.
   *
   * @param evidence of the threshold
   */
  static long millis(
      List<Integer> lengths, long intervalMillis, double threshold, Evidence evidence) {
    boolean isKnown = evidence.healthyWindows() >= EnvelopeFit.LEAST_WINDOWS;
    if (lengths.isEmpty() && isKnown && evidence.clearLevel() <= threshold) {
      return 0;
    }
    int[] sorted = lengths.stream().mapToInt(Integer::intValue).sorted().toArray();
    int longest = sorted.length == 0 ? 0 : sorted[sorted.length - 1];
    if (sorted.length >= ENOUGH_RUNS) {
      longest = sorted[rank(sorted.length) - 1];
    }
    return Math.min(MOST_MILLIS, (longest + 1) * intervalMillis);
  }

  /** The smallest rank whose order statistic is above the quantile with 95 % confidence. */
  private static int rank(int size) {
    BinomialDistribution below = new BinomialDistribution(null, size, LEVEL);
    int rank = 1;
    while (rank < size && below.cumulativeProbability(rank - 1) < LEVEL) {
      rank++;
    }
    return rank;
  }
}
