package tallystick.simengine;

import java.util.List;
import java.util.SplittableRandom;

/** Makes steps longer on demand; without the fault it leaves every step as it is. */
final class SlowdownFault {
  private final List<Fault.Slow> faults;
  private final int rank;
  private final SplittableRandom random;

  SlowdownFault(List<Fault> faults, int rank, long seed) {
    this.faults = Fault.all(faults, Fault.Slow.class);
    this.rank = rank;
    this.random = new SplittableRandom(seed);
  }

  /** How long a step of so many nanoseconds takes that begins now. */
  long of(long nanos, boolean computesPrompts, long nowNanos) {
    double slowed = nanos;
    for (Fault.Slow fault : faults) {
      if (fault.holds(rank, nowNanos) && random.nextDouble() < fault.share()) {
        slowed *= computesPrompts ? fault.prefillFactor() : fault.decodeFactor();
      }
    }
    return Math.round(slowed);
  }
}
