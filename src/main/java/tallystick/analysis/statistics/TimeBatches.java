package tallystick.analysis.statistics;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;

/**
 * Consecutive stretches of the window over which means are taken apart, so that their spread gives
 * a confidence interval. The ends are scrape times: engine sums exist only there.
 *
 * @param edges ends in seconds after the window's origin, ascending; one more than batches
 * @param refusal why there are no batches; empty if there are
 */
public record TimeBatches(double[] edges, String refusal) {
  private static final int FEWEST = 10; // Schmeiser 1982: 10 to 30 batches
  private static final int MOST = 30; // Schmeiser 1982: 10 to 30 batches

  /** A batch's edge is one scrape unsure: a tenth of it. */
  private static final int SCRAPES_PER_BATCH = 10;

  /** So many make the mean of a batch nearly normal. */
  private static final int REQUESTS_PER_BATCH = 30;

  /** In a short run an edge may be a third of a batch: wider, but an answer. */
  private static final int SHORT_SCRAPES = 3;

  /** In a short run a batch's mean may be skewed: wider, but an answer. */
  private static final int SHORT_REQUESTS = 10;

  /** What batches of a steady load follow one another at most. */
  private static final double ALIKE = 0.5;

  /**
   * Batches of at least ten scrapes and thirty requests. A run too short for ten of those gets ten
   * shorter ones: requests that cross their ends make them noisier, and the interval wider with it.
   *
   * @param scrapeSeconds times of one target's good scrapes under load, ascending
   * @param requests requests of the window, as far as known before they are read
   */
  public static TimeBatches of(double[] scrapeSeconds, long requests) {
    int intervals = scrapeSeconds.length - 1;
    long batches =
        Math.min(MOST, Math.min(intervals / SCRAPES_PER_BATCH, requests / REQUESTS_PER_BATCH));
    boolean shortRun = intervals >= FEWEST * SHORT_SCRAPES && requests >= FEWEST * SHORT_REQUESTS;
    if (batches < FEWEST && shortRun) {
      batches = FEWEST;
    }
    if (batches < FEWEST) {
      return new TimeBatches(
          new double[0],
          "%s scrape intervals and %s requests, need %s and %s"
              .formatted(
                  Math.max(0, intervals),
                  requests,
                  FEWEST * SHORT_SCRAPES,
                  FEWEST * SHORT_REQUESTS));
    }
    double[] edges = new double[(int) batches + 1];
    for (int i = 0; i < edges.length; i++) {
      edges[i] = scrapeSeconds[(int) ((long) intervals * i / batches)];
    }
    return new TimeBatches(edges, "");
  }

  public int count() {
    return Math.max(0, edges.length - 1);
  }

  /** Which batch a moment lies in, upper ends included; -1 if in none. */
  public int indexOf(double seconds) {
    int found = Arrays.binarySearch(edges, seconds);
    int index = found >= 0 ? found - 1 : -found - 2;
    return index >= 0 && index < count() ? index : -1;
  }

  /** A time is not below 0; a mean that is below by itself comes of two clocks. */
  static double lowest(double mean, double low) {
    return mean >= 0 ? Math.max(0, low) : low;
  }

  /**
   * An exact mean with a 95 % interval from the spread of its batch values. Batches that follow one
   * another spread too little: the spread is widened by their correlation, and the wider one of all
   * batches and of ten is taken. Waits are skewed, so that a quantity that is never below 0 has its
   * interval on the scale of logarithms.
   *
   * @param mean over the whole window
   * @param perBatch the same quantity per batch; NaN where a batch holds nothing
   */
  public Interval interval(double mean, double[] perBatch) {
    double[] known = Arrays.stream(perBatch).filter(value -> !Double.isNaN(value)).toArray();
    if (known.length < FEWEST) {
      String why = refusal.isEmpty() ? "too few batches hold requests" : refusal;
      return new Interval(Figure.of(mean), Figure.missing(why), Figure.missing(why));
    }
    double half = Math.max(half(known), half(tenths(known)));
    if (mean > 0 && Arrays.stream(known).allMatch(value -> value >= 0)) {
      double factor = Math.exp(half / mean);
      return Interval.of(mean, mean / factor, mean * factor);
    }
    return Interval.of(mean, lowest(mean, mean - half), mean + half);
  }

  /** The same of a mean and its batches. */
  public Interval interval(BatchedMean.Means of) {
    return interval(of.all(), of.each());
  }

  /** Half the width of the interval of a mean of values that may follow one another. */
  private static double half(double[] values) {
    double centre = Arrays.stream(values).average().orElseThrow();
    double squares = Arrays.stream(values).map(value -> (value - centre) * (value - centre)).sum();
    double alike = Math.max(0, Math.min(ALIKE, SteadyMean.autocorrelation(values)));
    double variance = squares / (values.length - 1) / values.length * (1 + alike) / (1 - alike);
    double t = new TDistribution(null, values.length - 1).inverseCumulativeProbability(0.975);
    return t * Math.sqrt(variance);
  }

  private static double[] tenths(double[] values) {
    double[] sums = new double[FEWEST];
    int[] counts = new int[FEWEST];
    for (int i = 0; i < values.length; i++) {
      int tenth = i * FEWEST / values.length;
      sums[tenth] += values[i];
      counts[tenth]++;
    }
    Arrays.setAll(sums, i -> sums[i] / counts[i]);
    return sums;
  }
}
