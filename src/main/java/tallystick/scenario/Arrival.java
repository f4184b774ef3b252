package tallystick.scenario;

/** When requests start. */
public sealed interface Arrival {

  /**
   * An open loop: starts are fixed in time and wait for nobody.
   *
   * @param rate requests per second over time
   * @param burstiness shape of the gamma distribution of the gaps between two starts, as vLLM's
   *     {@code --burstiness}: 1 is Poisson, below 1 burstier, above 1 steadier, infinity constant
   * @param concurrencyCap most requests in flight, the wait counts as latency; 0 means no cap
   */
  record Open(Rate rate, double burstiness, int concurrencyCap) implements Arrival {
    /** Burstiness of gaps that are all equal. */
    public static final double CONSTANT = Double.POSITIVE_INFINITY;

    /** Burstiness of a Poisson process. */
    public static final double POISSON = 1;

    public Open {
      if (!(burstiness > 0)) {
        throw new IllegalArgumentException("burstiness must be > 0, was " + burstiness);
      }
      if (concurrencyCap < 0) {
        throw new IllegalArgumentException("concurrency must be >= 0, was " + concurrencyCap);
      }
    }
  }

  /**
   * A closed loop: a fixed number of users, each sends when its previous answer has ended.
   *
   * @param users requests in flight, and users that think
   * @param thinkTime pause of a user between the end of its answer, or of its conversation, and
   *     what it sends next
   */
  record Closed(int users, ThinkTime thinkTime) implements Arrival {
    /** Users that ask again at once. */
    public Closed(int users) {
      this(users, new ThinkTime.Fixed(0));
    }

    public Closed {
      if (users < 1) {
        throw new IllegalArgumentException("concurrency must be >= 1, was " + users);
      }
    }
  }

  /**
   * An open loop whose starts are the times of the data set.
   *
   * @param speed how much faster than written the times pass: 2 replays twice as fast
   * @param concurrencyCap most requests in flight, the wait counts as latency; 0 means no cap
   */
  record Trace(double speed, int concurrencyCap) implements Arrival {
    public Trace {
      if (!(speed > 0)) {
        throw new IllegalArgumentException("speed must be > 0, was " + speed);
      }
    }
  }
}
