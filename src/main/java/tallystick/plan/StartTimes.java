package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.Arrival;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario.Extent;

/**
 * The starts of an open loop.
 *
 * <p>A renewal process of mean gap 1 is drawn and its time axis bent by the rate: the k-th start is
 * where the integral of the rate reaches the k-th point. A constant process begins at 0, a random
 * one after its first gap.
 *
 * @param offsetNanos each start after the window's origin, ascending
 * @param endNanos end of the window: its duration, or where the next start would have been
 */
record StartTimes(List<Long> offsetNanos, long endNanos) {
  private static final double NANOS = 1e9;

  StartTimes {
    offsetNanos = List.copyOf(offsetNanos);
  }

  static StartTimes draw(Arrival.Open arrival, Extent extent, RandomStream random) {
    long bound = extent.durationNanos() > 0 ? extent.durationNanos() : Long.MAX_VALUE;
    int most = extent.requests() > 0 ? extent.requests() : Integer.MAX_VALUE;
    boolean isConstant = arrival.burstiness() == Arrival.Open.CONSTANT;
    List<Long> offsets = new ArrayList<>();
    double point = isConstant ? 0 : random.nextGamma(arrival.burstiness());
    while (true) {
      long offset = Math.round(secondsAt(arrival.rate(), point) * NANOS);
      if (offset >= bound) {
        return new StartTimes(offsets, bound);
      }
      if (offsets.size() == most) {
        return new StartTimes(offsets, offset);
      }
      offsets.add(offset);
      point += isConstant ? 1 : random.nextGamma(arrival.burstiness());
    }
  }

  /** When the integral of the rate reaches a number of requests. */
  private static double secondsAt(Rate rate, double requests) {
    return switch (rate) {
      case Rate.Steady steady -> requests / steady.perSecond();
    };
  }
}
