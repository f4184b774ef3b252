package tallystick.analysis.statistics;

import java.util.Arrays;

/**
 * The best fit that only rises, or only falls: pool adjacent violators, weighted.
 *
 * @param fit fitted values
 * @param violationShare how much of the variation the fit cannot follow: weighted sum of squares
 *     around the fit over that around the mean; 0 for a constant
 */
public record Isotonic(double[] fit, double violationShare) {

  /** The best fit that only rises. */
  public static Isotonic rising(double[] values, double[] weights) {
    int count = values.length;
    double[] means = new double[count];
    double[] sums = new double[count];
    int[] sizes = new int[count];
    int blocks = 0;
    for (int i = 0; i < count; i++) {
      means[blocks] = values[i];
      sums[blocks] = weights[i];
      sizes[blocks++] = 1;
      while (blocks > 1 && means[blocks - 2] > means[blocks - 1]) {
        blocks--;
        double sum = sums[blocks - 1] + sums[blocks];
        means[blocks - 1] =
            (means[blocks - 1] * sums[blocks - 1] + means[blocks] * sums[blocks]) / sum;
        sums[blocks - 1] = sum;
        sizes[blocks - 1] += sizes[blocks];
      }
    }
    double[] fit = new double[count];
    int at = 0;
    for (int block = 0; block < blocks; block++) {
      Arrays.fill(fit, at, at + sizes[block], means[block]);
      at += sizes[block];
    }
    return new Isotonic(fit, violation(values, weights, fit));
  }

  /** The best fit that only falls. */
  public static Isotonic falling(double[] values, double[] weights) {
    double[] mirrored = Arrays.stream(values).map(value -> -value).toArray();
    Isotonic rising = rising(mirrored, weights);
    double[] fit = Arrays.stream(rising.fit()).map(value -> -value).toArray();
    return new Isotonic(fit, rising.violationShare());
  }

  private static double violation(double[] values, double[] weights, double[] fit) {
    double sum = 0;
    double weight = 0;
    for (int i = 0; i < values.length; i++) {
      sum += weights[i] * values[i];
      weight += weights[i];
    }
    double mean = sum / weight;
    double around = 0;
    double total = 0;
    for (int i = 0; i < values.length; i++) {
      around += weights[i] * (values[i] - fit[i]) * (values[i] - fit[i]);
      total += weights[i] * (values[i] - mean) * (values[i] - mean);
    }
    return total == 0 ? 0 : around / total;
  }
}
