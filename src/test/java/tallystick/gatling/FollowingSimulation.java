package tallystick.gatling;

import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;

/** The journey of the product: all requests of a user in one action; Gatling is told of each. */
public final class FollowingSimulation extends Simulation {
  /** Called by Gatling. */
  public FollowingSimulation() {
    Load load = GatlingRun.load();
    setUp(load.inject(scenario("following").exec(CompletionDsl.completions(load))))
        .assertions(
            details("ttft").allRequests().count().is(9L),
            details("completion").failedRequests().count().is(0L),
            details("completion").allRequests().count().is(9L));
  }
}
