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
import scala.Option;

/**
 * Injects users at exact offsets through Gatling's own open workload, and tells the load where its
 * origin lies. One population for each run.
 */
final class ScheduledProfile implements InjectionProfile {
  private final Load load;
  private final InjectionProfile delegate;

  ScheduledProfile(Load load) {
    this.load = load;
    ScheduleStep step = new ScheduleStep(load.userOffsetsNanos(), load::isStopped);
    this.delegate =
        (InjectionProfile)
            OpenInjectionSupport.OpenInjectionProfileFactory()
                .profile(Converters.toScalaSeq(List.of(step)));
  }

  @Override
  public Option<Object> totalUserCount() {
    return Option.apply((long) load.userOffsetsNanos().length);
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
    load.injectionStarts(System.nanoTime() - sinceStartNanos, userIds.get() + 1);
    return delegate.workload(
        scenario, userIds, startTimeMillis, eventLoops, statsEngine, clock);
  }
}
