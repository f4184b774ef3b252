package tallystick.analysis.statistics;

import java.util.Arrays;

/**
 * Means of a series in batches, at first of five. When there are too many batches, neighbours are
 * joined, so that memory does not grow with the series.
 */
public final class BatchMeans {
  /** Values in a batch, before any are joined. */
  public static final int SMALLEST = 5;

  /** Pairs of batches are merged here, so memory stays constant. */
  private static final int BATCH_LIMIT = 1 << 17;

  private double[] means = new double[64];
  private long[] ends = new long[64];
  private int size;
  private int batchSize = SMALLEST;
  private double sum;
  private int inBatch;

  /** Takes the next value, and when it was seen. */
  public void add(double value, long atNanos) {
    sum += value;
    inBatch++;
    if (inBatch == batchSize) {
      append(sum / batchSize, atNanos);
      sum = 0;
      inBatch = 0;
    }
  }

  public double[] means() {
    return Arrays.copyOf(means, size);
  }

  public int batchSize() {
    return batchSize;
  }

  /** When the last value of a batch was seen. */
  public long endNanos(int batch) {
    return ends[batch];
  }

  private void append(double mean, long atNanos) {
    if (size == BATCH_LIMIT) {
      joinNeighbours();
    }
    if (size == means.length) {
      means = Arrays.copyOf(means, size * 2);
      ends = Arrays.copyOf(ends, size * 2);
    }
    means[size] = mean;
    ends[size++] = atNanos;
  }

  private void joinNeighbours() {
    for (int i = 0; i < size / 2; i++) {
      means[i] = (means[2 * i] + means[2 * i + 1]) / 2;
      ends[i] = ends[2 * i + 1];
    }
    size /= 2;
    batchSize *= 2;
  }
}
