package tallystick.gatling;

import io.gatling.core.controller.inject.open.OpenInjectionStep;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.concurrent.duration.FiniteDuration;

/**
 * An injection step that replays exact offsets and ends early when told to. Gatling's own steps cut
 * durations to whole seconds and draw at random from the clock.
 */
final class ScheduleStep implements OpenInjectionStep {
  private final long[] offsetsNanos;
  private final LongSupplier delayNanos;
  private final BooleanSupplier stopped;
  private final FiniteDuration total;

  /**
   * A step.
   *
   * @param delayNanos how much later all of them come; asked when the first is due
   */
  ScheduleStep(long[] offsetsNanos, LongSupplier delayNanos, BooleanSupplier stopped) {
    this.offsetsNanos = offsetsNanos;
    this.delayNanos = delayNanos;
    this.stopped = stopped;
    long last = offsetsNanos.length == 0 ? 0 : offsetsNanos[offsetsNanos.length - 1];
    this.total = FiniteDuration.apply(last, TimeUnit.NANOSECONDS);
  }

  @Override
  public Iterator<FiniteDuration> chain(Iterator<FiniteDuration> chained) {
    return new AbstractIterator<FiniteDuration>() {
      private int position;

      @Override
      public boolean hasNext() {
        return !stopped.getAsBoolean() && (position < offsetsNanos.length || chained.hasNext());
      }

      @Override
      public FiniteDuration next() {
        return position < offsetsNanos.length
            ? FiniteDuration.apply(
                offsetsNanos[position++] + delayNanos.getAsLong(), TimeUnit.NANOSECONDS)
            : (FiniteDuration) chained.next().$plus(total);
      }
    };
  }

  @Override
  public long users() {
    return offsetsNanos.length;
  }

  @Override
  public FiniteDuration duration() {
    return total;
  }

  @Override
  public int productArity() {
    return 0;
  }

  @Override
  public Object productElement(int index) {
    throw new IndexOutOfBoundsException(index);
  }

  @Override
  public boolean canEqual(Object other) {
    return other == this;
  }
}
