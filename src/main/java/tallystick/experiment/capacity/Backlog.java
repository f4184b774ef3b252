package tallystick.experiment.capacity;

/**
 * How much work requests find waiting, their own included, in front of a server of constant speed.
 * No engine is one; but what crowds such a server crowds an engine, and costs nothing to compute.
 */
final class Backlog {
  private static final int BINS = 300;
  private static final double LEAST_LOG = -9;
  private static final double MOST_LOG = 4;

  /** A request with twice the work of the limit in front of it is bad in 16 of 17 cases. */
  private static final double SHARPNESS = 4;

  private static final int HALVINGS = 40;

  private final long[] requests = new long[BINS];
  private long counted;

  /**
   * A backlog.
   *
   * @param atSeconds when requests arrive, ascending
   * @param workSeconds how long the server works on each
   * @param fromSeconds requests before this count as work alone
   */
  Backlog(double[] atSeconds, double[] workSeconds, double fromSeconds) {
    double waiting = 0;
    double now = 0;
    for (int i = 0; i < atSeconds.length; i++) {
      waiting = Math.max(0, waiting - (atSeconds[i] - now)) + workSeconds[i];
      now = atSeconds[i];
      if (now >= fromSeconds) {
        requests[bin(waiting)]++;
        counted++;
      }
    }
  }

  private static int bin(double seconds) {
    double part = (Math.log(seconds) - LEAST_LOG) / (MOST_LOG - LEAST_LOG);
    return (int) Math.max(0, Math.min(BINS - 1, part * BINS));
  }

  /** The share of requests that a limit makes bad, softly: near the limit some, none for sure. */
  double share(double logLimit) {
    double bad = 0;
    for (int i = 0; i < BINS; i++) {
      double log = LEAST_LOG + (i + 0.5) * (MOST_LOG - LEAST_LOG) / BINS;
      bad += requests[i] == 0 ? 0 : requests[i] / (1 + Math.exp(-SHARPNESS * (log - logLimit)));
    }
    return bad / counted;
  }

  /** The logarithm of the limit that makes a share of the requests bad. */
  double logLimit(double badShare) {
    double low = LEAST_LOG;
    double high = MOST_LOG;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (share(middle) > badShare) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
