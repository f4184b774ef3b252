package tallystick.analysis.statistics;

import java.util.Arrays;

/** Sums and counts of one quantity per time batch and over all; seconds. */
public final class BatchedMean {
  private final double[] sums;
  private final double[] counts;
  private double sum;
  private double count;

  public BatchedMean(int batches) {
    sums = new double[batches];
    counts = new double[batches];
  }

  /** Adds so many observations with so large a sum; a negative batch counts only in the whole. */
  public void add(int batch, double more, double observations) {
    sum += more;
    count += observations;
    if (batch >= 0) {
      sums[batch] += more;
      counts[batch] += observations;
    }
  }

  public double count() {
    return count;
  }

  public double mean() {
    return count > 0 ? sum / count : Double.NaN;
  }

  /** Mean of each batch; NaN where it holds nothing. */
  public double[] means() {
    double[] means = new double[sums.length];
    Arrays.setAll(means, i -> counts[i] > 0 ? sums[i] / counts[i] : Double.NaN);
    return means;
  }

  /** Observations of each batch. */
  public double[] counts() {
    return counts.clone();
  }

  /** What is left of these observations without some of them. */
  public BatchedMean without(BatchedMean some) {
    BatchedMean rest = new BatchedMean(sums.length);
    Arrays.setAll(rest.sums, i -> sums[i] - some.sums[i]);
    Arrays.setAll(rest.counts, i -> counts[i] - some.counts[i]);
    rest.sum = sum - some.sum;
    rest.count = count - some.count;
    return rest;
  }

  /** The mean, over all and of each batch. */
  public Means both() {
    return new Means(mean(), means());
  }

  /**
   * A mean that may be of several quantities.
   *
   * @param all over all batches
   * @param each of each batch; NaN where it holds nothing
   */
  public record Means(double all, double[] each) {

    /** What is left without another one. */
    public Means minus(Means other) {
      double[] rest = new double[each.length];
      Arrays.setAll(rest, i -> each[i] - other.each[i]);
      return new Means(all - other.all, rest);
    }
  }
}
