package tallystick.analysis;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * Consecutive stretches of the window over which means are taken apart, so that their spread gives
 * a confidence interval. The ends are scrape times: engine sums exist only there.
 *
 * @param edges ends in seconds after the window's origin, ascending; one more than batches
 * @param refusal why there are no batches; empty if there are
 */
record TimeBatches(double[] edges, String refusal) {
  private static final int FEWEST = 10;
  private static final int MOST = 30;
  private static final int SCRAPES_PER_BATCH = 10;
  private static final int REQUESTS_PER_BATCH = 30;
  private static final int SHORT_SCRAPES = 3;
  private static final int SHORT_REQUESTS = 10;

  /**
   * Batches of at least ten scrapes and thirty requests. A run too short for ten of those gets ten
   * shorter ones: requests that cross their ends make them noisier, and the interval wider with it.
   *
   * @param scrapeSeconds times of one target's good scrapes under load, ascending
   * @param requests requests of the window, as far as known before they are read
   */
  static TimeBatches of(double[] scrapeSeconds, long requests) {
    int intervals = scrapeSeconds.length - 1;
    long batches =
        Math.min(
            MOST,
            Math.min(intervals / SCRAPES_PER_BATCH, requests / REQUESTS_PER_BATCH));
    boolean shortRun =
        intervals >= FEWEST * SHORT_SCRAPES && requests >= FEWEST * SHORT_REQUESTS;
    if (batches < FEWEST && shortRun) {
      batches = FEWEST;
    }
    if (batches < FEWEST) {
      return new TimeBatches(
          new double[0],
          "%d scrape intervals and %d requests, need %d and %d"
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

  int count() {
    return Math.max(0, edges.length - 1);
  }

  /** Which batch a moment lies in, upper ends included; -1 if in none. */
  int indexOf(double seconds) {
    int found = Arrays.binarySearch(edges, seconds);
    int index = found >= 0 ? found - 1 : -found - 2;
    return index >= 0 && index < count() ? index : -1;
  }

  /**
   * An exact mean with a 95 % interval from the spread of its batch values; t distribution.
   *
   * @param mean over the whole window
   * @param perBatch the same quantity per batch; NaN where a batch holds nothing
   */
  Interval interval(double mean, double[] perBatch) {
    double[] known = Arrays.stream(perBatch).filter(value -> !Double.isNaN(value)).toArray();
    if (known.length < FEWEST) {
      String why = refusal.isEmpty() ? "too few batches hold requests" : refusal;
      return new Interval(Figure.of(mean), Figure.missing(why), Figure.missing(why));
    }
    double centre = Arrays.stream(known).average().orElseThrow();
    double squares =
        Arrays.stream(known).map(value -> (value - centre) * (value - centre)).sum();
    double deviation = Math.sqrt(squares / (known.length - 1));
    double t = new TDistribution(null, known.length - 1).inverseCumulativeProbability(0.975);
    double half = t * deviation / Math.sqrt(known.length);
    return Interval.of(mean, mean - half, mean + half);
  }
}
