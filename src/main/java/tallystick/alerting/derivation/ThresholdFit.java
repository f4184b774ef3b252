package tallystick.alerting.derivation;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The threshold that tells violated from healthy windows best; the alert fires above it.
 *
 * @param threshold centre of the best plateau, or the edge in its middle
 * @param low the largest value below which nothing changes
 * @param high the smallest value above which nothing changes
 * @param recall share of violated windows above it
 * @param falseAlarms share of healthy windows above it
 */
record ThresholdFit(double threshold, double low, double high) {
  private static final double TIE = 1e-12; // rounding of a sum

  /**
   * What a wrong answer costs. Equal weights maximise Youden's J, recall minus false alarms.
   *
   * @param falseAlarm cost of the false-alarm rate
   * @param miss cost of the miss rate
   */
  record Weights(double falseAlarm, double miss) {
    /** For a warning that opens a ticket. */
    static final Weights EVEN = new Weights(1, 1);

    /** For more than a warning: precision first. */
    static final Weights PRECISE = new Weights(5, 1);

    double cost(Confusion answers) {
      return falseAlarm * answers.falseAlarms() + miss * (1 - answers.recall());
    }
  }

  /** The best threshold anywhere; empty if one of the two labels is missing. */
  static Optional<ThresholdFit> anywhere(LabelledValues values, Weights weights) {
    double[] distinct = values.distinct();
    if (!values.hasBoth() || distinct.length < 2) {
      return Optional.empty();
    }
    double[] middles = new double[distinct.length - 1];
    for (int i = 0; i < middles.length; i++) {
      middles[i] = (distinct[i] + distinct[i + 1]) / 2;
    }
    int[] plateau = plateau(values, weights, middles);
    double low = distinct[plateau[0]];
    double high = distinct[plateau[1] + 1];
    double centre = (low + high) / 2;
    // The middle of several equally good gaps may lie on a value between them that is worse.
    double best = plateau[0] == plateau[1] ? centre : middles[(plateau[0] + plateau[1]) / 2];
    return Optional.of(new ThresholdFit(best, low, high));
  }

  /** The best of a histogram's edges; empty without edges or if a label is missing. */
  static Optional<ThresholdFit> onEdge(
      LabelledValues values, Weights weights, List<Double> edges) {
    double[] candidates = edges.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (!values.hasBoth() || candidates.length == 0) {
      return Optional.empty();
    }
    int[] plateau = plateau(values, weights, candidates);
    double best = candidates[(plateau[0] + plateau[1]) / 2];
    return Optional.of(new ThresholdFit(best, candidates[plateau[0]], candidates[plateau[1]]));
  }

  /** The same fit at a lower threshold, if all windows answer it alike. */
  ThresholdFit loweredTo(double other) {
    return other > low && other < threshold ? new ThresholdFit(other, low, high) : this;
  }

  /** The same fit, or the least threshold allowed: what the objective allows is no suffering. */
  ThresholdFit notBelow(double least) {
    return new ThresholdFit(
        Math.max(threshold, least), Math.max(low, least), Math.max(high, least));
  }

  /** The same fit at a rounder threshold, as long as the plateau has one. */
  ThresholdFit rounded() {
    for (int digits = 2; digits < 17; digits++) {
      double round = new java.math.BigDecimal(threshold)
          .round(new java.math.MathContext(digits))
          .doubleValue();
      if (round > low && round < high) {
        return new ThresholdFit(round, low, high);
      }
    }
    return this;
  }

  /** First and last index of the longest run of equally best candidates. */
  private static int[] plateau(LabelledValues values, Weights weights, double[] candidates) {
    double[] costs =
        Arrays.stream(candidates).map(c -> weights.cost(Confusion.of(values, c))).toArray();
    double least = Arrays.stream(costs).min().orElseThrow();
    int[] longest = {0, -1};
    int start = 0;
    for (int i = 0; i < costs.length; i++) {
      if (costs[i] > least + TIE) {
        start = i + 1;
      } else if (i - start > longest[1] - longest[0]) {
        longest = new int[] {start, i};
      }
    }
    return longest;
  }
}
