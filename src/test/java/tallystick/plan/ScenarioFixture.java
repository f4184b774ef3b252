package tallystick.plan;

import java.util.List;
import java.util.Map;
import tallystick.scenario.Arrival;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Lengths;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.Extent;
import tallystick.scenario.Target;
import tallystick.scenario.TokenLimit;
import tallystick.scenario.Workload;
import tallystick.scenario.Workload.RequestClass;

/** Scenarios for the tests of this room. */
final class ScenarioFixture {
  static final long SECOND = 1_000_000_000L;
  static final RequestClass PLAIN =
      RequestClass.plain("default", new Lengths.Uniform(10, 20), new Lengths.Uniform(5, 9));

  private ScenarioFixture() {}

  static Arrival constant(double rate) {
    return new Arrival.Open(new Rate.Steady(rate), Arrival.Open.CONSTANT, 0);
  }

  static Arrival poisson(double rate) {
    return poisson(new Rate.Steady(rate));
  }

  static Arrival poisson(Rate rate) {
    return new Arrival.Open(rate, Arrival.Open.POISSON, 0);
  }

  static Extent seconds(double seconds) {
    return new Extent(Math.round(seconds * SECOND), 0);
  }

  static Extent requests(int requests) {
    return new Extent(0, requests);
  }

  static Plan plan(Arrival arrival, Extent extent) {
    return plan(arrival, extent, Extent.NOTHING, 1);
  }

  static Plan plan(Arrival arrival, Extent extent, Extent warmup, long seed) {
    return Planner.plan(scenario(new Workload(arrival, List.of(PLAIN)), extent, warmup), seed);
  }

  static Plan plan(RequestClass kind, int requests) {
    Workload workload = new Workload(constant(8), List.of(kind));
    return Planner.plan(scenario(workload, requests(requests), Extent.NOTHING), 1);
  }

  static Scenario scenario(Workload workload, Extent extent, Extent warmup) {
    return scenario(workload, extent, warmup, List.of());
  }

  static Scenario scenario(
      Workload workload, Extent extent, Extent warmup, List<Target> targets) {
    return new Scenario(
        "test", targets, "", Endpoint.COMPLETIONS, workload, extent, warmup, 1, List.of(),
        new Scenario.Limits(SECOND, 120 * SECOND),
        new Scenario.RequestForm(true, false, true, "{}", Map.of(), TokenLimit.MAX_TOKENS, false,
            false),
        Scenario.Access.PLAIN, Scenario.StopRules.NEVER, Map.of(), Map.of(), List.of());
  }

  static List<Long> offsets(Plan plan, String phase) {
    return plan.requests().stream()
        .filter(r -> r.phase().equals(phase))
        .map(PlannedRequest::offsetNanos)
        .toList();
  }
}
