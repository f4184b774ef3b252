package tallystick.experiment.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import tallystick.experiment.JointObjective;
import tallystick.experiment.PlanVariant;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.TestBed;
import tallystick.plan.Plan;
import tallystick.scenario.Arrival;
import tallystick.scenario.Formatted;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;
import tallystick.scenario.Workload;

/** Plays the probes of a search on one bench, and reads what they show. */
final class ProbePlayer {
  private static final double NANOS = 1e9;

  /** A median TTFT of so many times the longest limit: its queue would take minutes to drain. */
  private static final double HOPELESS = 20;

  /** Twenty times a short limit is no long wait: nothing ends sooner than at this TTFT. */
  private static final double LEAST_WAIT_SECONDS = 10;

  /** Share of failed requests that ends a run: at the usual shares, far below, it cannot hold. */
  private static final double MOST_FAILED = 0.9;

  private final Scenario scenario;
  private final JointObjective objective;
  private final RunPlayer player;

  /**
   * A player.
   *
   * @param folder of the probes' folders
   */
  ProbePlayer(Scenario scenario, JointObjective objective, TestBed bench, Path folder) {
    this.scenario = scenario;
    this.objective = objective;
    this.player = new RunPlayer(bench, folder);
  }

  /**
   * What a probe shows; empty if somebody interrupted it.
   *
   * @throws IOException if the disk or the server fails
   */
  Optional<ProbeResult> play(Probe probe)
      throws IOException, InterruptedException {
    return player.read(
        plan(scenario, objective, probe),
        Formatted.of("probe-%03d", probe.number()),
        played ->
            ProbeReading.of(
                probe, played.elapsedSeconds(), played.page(), objective, played.record()));
  }

  /** A scenario's requests at the probe's rate, as a Poisson process, or in its closed loop. */
  static Plan plan(Scenario scenario, JointObjective objective, Probe probe) {
    Workload given = scenario.workload();
    boolean isClosed = probe.users() > 0;
    Arrival arrival =
        isClosed
            ? new Arrival.Closed(probe.users())
            : new Arrival.Open(
                new Rate.Steady(probe.perSecond()), Arrival.Open.POISSON,
                PlanVariant.capOf(given.arrival()));
    return new PlanVariant(
            new Workload(arrival, given.classes()),
            new Scenario.Extent(
                Math.round(probe.loadSeconds() * NANOS), isClosed ? Ceiling.MOST_REQUESTS : 0),
            probe.seed(),
            // In a closed loop more than the engine runs wait at once: that is no reason to end it.
            isClosed ? new Scenario.StopRules(MOST_FAILED, 0, 0, 0) : stopRules(objective),
            scenario.labels())
        .plan(scenario);
  }

  /** A probe far beyond the limits ends early: its queue would have to drain. */
  private static Scenario.StopRules stopRules(JointObjective objective) {
    double longest =
        objective.limits().stream()
            .filter(limit -> limit.metric().isFromStart())
            // A session of such waits is lost with its first one.
            .mapToDouble(
                limit -> limit.thresholdSeconds() / (limit.judgesSessions() ? HOPELESS : 1))
            .max()
            .orElse(LEAST_WAIT_SECONDS);
    double hopeless = Math.max(LEAST_WAIT_SECONDS, HOPELESS * longest);
    return new Scenario.StopRules(MOST_FAILED, Math.round(hopeless * NANOS), 0, 0);
  }
}
