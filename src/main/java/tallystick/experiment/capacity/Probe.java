package tallystick.experiment.capacity;

/**
 * One stretch of Poisson load at one rate, played by a fresh run.
 *
 * @param number counts the probes of an experiment from 1
 * @param purpose why it is asked for
 * @param perSecond requests per second
 * @param settleSeconds load before requests count, so that queues have filled
 * @param measuredSeconds load whose requests count
 * @param seed of every random choice in it
 */
record Probe(
    int number,
    Purpose purpose,
    double perSecond,
    double settleSeconds,
    double measuredSeconds,
    long seed) {

  /** Why a probe is asked for. */
  enum Purpose {
    /** A short one, to find roughly where the capacity lies. */
    BRACKET,
    /** A long one near the capacity, to say more exactly where. */
    NARROW,
    /** A fresh one at the rate that is to be certified. */
    CONFIRM
  }

  Probe {
    if (!(perSecond > 0 && settleSeconds >= 0 && measuredSeconds > 0)) {
      throw new IllegalArgumentException(
          "a probe needs a rate and a length > 0, was %s/s, %s s and %s s"
              .formatted(perSecond, settleSeconds, measuredSeconds));
    }
  }

  /** How long it loads the engine. */
  double loadSeconds() {
    return settleSeconds + measuredSeconds;
  }
}
