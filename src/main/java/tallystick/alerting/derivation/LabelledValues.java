package tallystick.alerting.derivation;

import java.util.Arrays;
import java.util.List;
import tallystick.analysis.result.Judgement.Verdict;

/**
 * A signal's values in the windows that have a label.
 *
 * @param healthy values in windows that met the target, ascending
 * @param violated values in windows that violated it, ascending
 */
record LabelledValues(double[] healthy, double[] violated) {

  /** Of the windows whose signal is a number and whose label is one of the two. */
  static LabelledValues of(Signal signal, List<LabelledWindow> windows) {
    return new LabelledValues(
        values(signal, windows, Verdict.MET), values(signal, windows, Verdict.MISSED));
  }

  private static double[] values(Signal signal, List<LabelledWindow> windows, Verdict wanted) {
    return windows.stream()
        .filter(one -> one.label() == wanted)
        .mapToDouble(one -> one.row().signal(signal))
        .filter(value -> !Double.isNaN(value))
        .sorted()
        .toArray();
  }

  boolean hasBoth() {
    return healthy.length > 0 && violated.length > 0;
  }

  /**
   * The probability that a violated window shows more than a healthy one; ties count half.
   * Equals Mann-Whitney's U over the product of the counts.
   */
  double areaUnderCurve() {
    double wins = 0;
    for (double bad : violated) {
      int below = firstAtLeast(healthy, bad);
      int notAbove = firstAbove(healthy, bad);
      wins += below + (notAbove - below) / 2.0;
    }
    return wins / ((double) healthy.length * violated.length);
  }

  int violatedAbove(double threshold) {
    return violated.length - firstAbove(violated, threshold);
  }

  int healthyAbove(double threshold) {
    return healthy.length - firstAbove(healthy, threshold);
  }

  /** Share of all windows above one threshold and not above another, larger one. */
  double shareBetween(double low, double high) {
    int inside =
        firstAbove(healthy, high) - firstAbove(healthy, low)
            + firstAbove(violated, high) - firstAbove(violated, low);
    return inside / (double) (healthy.length + violated.length);
  }

  /** Every distinct value, ascending. */
  double[] distinct() {
    double[] all = Arrays.copyOf(healthy, healthy.length + violated.length);
    System.arraycopy(violated, 0, all, healthy.length, violated.length);
    return Arrays.stream(all).sorted().distinct().toArray();
  }

  private static int firstAtLeast(double[] sorted, double value) {
    return Moments.first(sorted.length, i -> sorted[i] >= value);
  }

  private static int firstAbove(double[] sorted, double value) {
    return firstAtLeast(sorted, Math.nextUp(value));
  }
}
