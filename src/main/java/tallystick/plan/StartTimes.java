package tallystick.plan;

import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import tallystick.scenario.Arrival;
import tallystick.scenario.Dataset;
import tallystick.scenario.Rate;

/**
 * The starts of an open loop, one after another, each in nanoseconds after the window's origin.
 *
 * <p>A renewal process of mean gap 1 is drawn and its time axis bent by the rate: the k-th start is
 * where the integral of the rate reaches the k-th point. A constant process begins at 0, a random
 * one after its first gap. Poisson gaps make it a Poisson process of that rate exactly.
 */
final class StartTimes implements LongSupplier {
  /** No further start. */
  static final long NONE = Long.MAX_VALUE;

  private static final double NANOS = 1e9;

  private final Rate rate;
  private final double burstiness;
  private final RandomStream random;
  private double point;

  StartTimes(Rate rate, double burstiness, RandomStream random) {
    this.rate = rate;
    this.burstiness = burstiness;
    this.random = random;
    this.point = burstiness == Arrival.Open.CONSTANT ? 0 : random.nextGamma(burstiness);
  }

  /** The times of a trace, which passes faster than it was written. */
  static LongSupplier ofTrace(List<Dataset.Entry> entries, double speed) {
    Iterator<Dataset.Entry> iterator = entries.iterator();
    return () -> iterator.hasNext() ? Math.round(iterator.next().atNanos() / speed) : NONE;
  }

  @Override
  public long getAsLong() {
    double seconds = secondsAt(rate, point);
    point += burstiness == Arrival.Open.CONSTANT ? 1 : random.nextGamma(burstiness);
    return Double.isInfinite(seconds) ? NONE : Math.round(seconds * NANOS);
  }

  /** When the integral of a rate reaches a number of requests; infinite if it never does. */
  static double secondsAt(Rate rate, double requests) {
    return switch (rate) {
      case Rate.Steady steady -> requests / steady.perSecond();
      case Rate.Ramp ramp -> rampSeconds(ramp, requests);
      case Rate.Steps steps -> stepSeconds(steps, requests);
      case Rate.Sine sine -> sineSeconds(sine, requests);
    };
  }

  private static double rampSeconds(Rate.Ramp ramp, double requests) {
    if (requests >= ramp.requestsBy(ramp.seconds())) {
      return Double.POSITIVE_INFINITY;
    }
    double slope = (ramp.to() - ramp.from()) / ramp.seconds();
    // Rounding may take the square of a rate that ends at 0 below it.
    double square = Math.max(0, ramp.from() * ramp.from() + 2 * slope * requests);
    double speed = ramp.from() + Math.sqrt(square);
    return requests == 0 ? 0 : 2 * requests / speed;
  }

  private static double stepSeconds(Rate.Steps steps, double requests) {
    double left = requests;
    double start = 0;
    for (Rate.Step step : steps.steps()) {
      double length = step.nanos() / NANOS;
      if (left < step.perSecond() * length) {
        return start + left / step.perSecond();
      }
      left -= step.perSecond() * length;
      start += length;
    }
    return Double.POSITIVE_INFINITY;
  }

  /** Halves an interval around the answer: the wave moves a start by at most half its surplus. */
  private static double sineSeconds(Rate.Sine sine, double requests) {
    double surplus = sine.amplitude() * sine.periodSeconds() / Math.PI;
    double low = Math.max(0, (requests - surplus) / sine.mean());
    double high = requests / sine.mean();
    for (int i = 0; i < 80 && low < high; i++) {
      double middle = (low + high) / 2;
      if (sine.requestsBy(middle) < requests) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
