package tallystick.simulations;

import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import tallystick.gatling.CompletionDsl;
import tallystick.gatling.GatlingRun;
import tallystick.gatling.Load;

/** The journey of every scenario: a user sends its planned requests, one after the other. */
public final class CompletionSimulation extends Simulation {
  /** Called by Gatling. */
  public CompletionSimulation() {
    Load load = GatlingRun.load();
    ScenarioBuilder journey = scenario("completions").exec(CompletionDsl.completions(load));
    setUp(load.inject(journey));
  }
}
