package tallystick.experiment.capacity;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * One stretch of load, played by a fresh run: Poisson arrivals at one rate, or a closed loop.
 *
 * @param number counts the probes of an experiment from 1
 * @param purpose why it is asked for
 * @param perSecond requests per second; 0 in a closed loop
 * @param users each of whom sends as soon as an answer has ended; absent for Poisson arrivals
 * @param settleSeconds load before requests count, so that queues have filled
 * @param measuredSeconds load whose requests count
 * @param seed of every random choice in it
 */
record Probe(
    int number,
    Purpose purpose,
    double perSecond,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int users,
    double settleSeconds,
    double measuredSeconds,
    long seed) {

  /** Why a probe is asked for. */
  enum Purpose {
    /** A closed loop that keeps the engine full: what it completes at most. */
    CEILING,
    /** A short one, to find roughly where the capacity lies. */
    BRACKET,
    /** A long one near the capacity, to say more exactly where. */
    NARROW,
    /** A fresh one at the rate that is to be certified. */
    CONFIRM
  }

  Probe {
    if (!(perSecond > 0 != users > 0 && settleSeconds >= 0 && measuredSeconds > 0)) {
      throw new IllegalArgumentException(
          "a probe needs a rate or users, and a length > 0, was %s/s, %s, %s s and %s s"
              .formatted(perSecond, users, settleSeconds, measuredSeconds));
    }
  }

  /** Poisson arrivals. */
  Probe(
      int number, Purpose purpose, double perSecond, double settleSeconds, double measuredSeconds,
      long seed) {
    this(number, purpose, perSecond, 0, settleSeconds, measuredSeconds, seed);
  }

  /** Whether it is one of those that tell exactly where the capacity lies. */
  @JsonIgnore
  boolean isLong() {
    return purpose == Purpose.NARROW || purpose == Purpose.CONFIRM;
  }

  /** How long it loads the engine. */
  double loadSeconds() {
    return settleSeconds + measuredSeconds;
  }
}
