package tallystick.gatling;

import io.gatling.commons.util.Clock;
import io.gatling.core.controller.inject.InjectionProfile;
import io.gatling.core.controller.inject.Workload;
import io.gatling.core.controller.inject.open.OpenInjectionSupport;
import io.gatling.core.scenario.Scenario;
import io.gatling.core.stats.StatsEngine;
import io.gatling.javaapi.core.internal.Converters;
import io.netty.channel.EventLoopGroup;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import scala.Option;

/**
 * Injects users at exact offsets through Gatling's own open workload, and tells where their origin
 * lies. One population for each run.
 */
final class ScheduledProfile implements InjectionProfile {
  private final int userCount;
  private final StartListener listener;
  private final InjectionProfile delegate;
  private volatile long delayNanos;

  /** Told when the injection begins. */
  interface StartListener {
    /**
     * The first user comes now.
     *
     * @param startNanoTime {@code System.nanoTime()} from which the offsets count
     * @param firstUserId Gatling's number of the first user
     * @return how much later than that all users are to come
     */
    long injectionStarts(long startNanoTime, long firstUserId);
  }

  ScheduledProfile(long[] offsetsNanos, BooleanSupplier isStopped, StartListener listener) {
    this.userCount = offsetsNanos.length;
    this.listener = listener;
    ScheduleStep step = new ScheduleStep(offsetsNanos, () -> delayNanos, isStopped);
    this.delegate =
        (InjectionProfile)
            OpenInjectionSupport.OpenInjectionProfileFactory()
                .profile(Converters.toScalaSeq(List.of(step)));
  }

  @Override
  public Option<Object> totalUserCount() {
    return Option.apply((long) userCount);
  }

  @Override
  public Workload workload(
      Scenario scenario,
      AtomicLong userIds,
      long startTimeMillis,
      EventLoopGroup eventLoops,
      StatsEngine statsEngine,
      Clock clock) {
    long sinceStartNanos = (clock.nowMillis() - startTimeMillis) * 1_000_000L;
    delayNanos =
        listener.injectionStarts(System.nanoTime() - sinceStartNanos, userIds.get() + 1);
    return delegate.workload(
        scenario, userIds, startTimeMillis, eventLoops, statsEngine, clock);
  }
}
