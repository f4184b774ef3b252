package tallystick.experiment;

import java.util.Map;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.scenario.Arrival;
import tallystick.scenario.Scenario;
import tallystick.scenario.Workload;

/**
 * A scenario's requests under another load.
 *
 * @param workload what is sent and when
 * @param extent when it ends
 * @param seed of every random choice
 * @param stop when it ends before its time
 * @param labels of the run
 */
public record PlanVariant(
    Workload workload, Scenario.Extent extent, long seed, Scenario.StopRules stop,
    Map<String, String> labels) {
  /** All else stays as the scenario has it. */
  public Plan plan(Scenario of) {
    Scenario varied =
        new Scenario(
            of.name(), of.targets(), of.model(), of.endpoint(), workload, extent, of.warmup(),
            seed, of.objectives(), of.limits(), of.request(), of.access(), stop, of.engine(),
            labels, of.exporters());
    return Planner.plan(varied, seed);
  }

  /** The most requests in flight that a scenario allows; 0 means no cap. */
  public static int capOf(Arrival arrival) {
    return switch (arrival) {
      case Arrival.Open open -> open.concurrencyCap();
      case Arrival.Trace trace -> trace.concurrencyCap();
      case Arrival.Closed closed -> 0;
    };
  }
}
