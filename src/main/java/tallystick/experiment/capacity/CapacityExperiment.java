package tallystick.experiment.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import tallystick.experiment.Bench;
import tallystick.experiment.Budget;
import tallystick.experiment.Experiment;
import tallystick.experiment.JointObjective;
import tallystick.experiment.Journal;
import tallystick.experiment.Listener;
import tallystick.experiment.Memory;
import tallystick.experiment.Rates;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.Variation;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.scenario.Arrival;
import tallystick.scenario.Objective;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;
import tallystick.scenario.Workload;

/**
 * The largest Poisson rate at which a scenario's objectives hold together, searched with fresh runs
 * on a bench.
 */
public final class CapacityExperiment implements Experiment<CapacityReport> {
  private static final double NANOS = 1e9;

  /** More requests in one probe than this do not fit a load process. */
  private static final double MOST_REQUESTS = 300_000;

  private static final String CHANGES = "its rate changes over time";
  private static final double LONGEST_SECONDS = 200;

  private final Scenario scenario;
  private final JointObjective objective;
  private final Bench bench;
  private final Asked asked;
  private final CapacitySearch search;

  /**
   * What the user asks beside the scenario.
   *
   * @param share of requests that must keep all limits; empty takes the objectives' own
   * @param firstPerSecond rate of the first probe; empty takes the scenario's
   * @param budget time for all probes; without one until the answer is certain
   * @param seed of the experiment
   * @param sizing what is asked of a fleet
   */
  public record Asked(
      OptionalDouble share, OptionalDouble firstPerSecond, Budget budget, long seed,
      Sizing sizing) {}

  /**
   * A search that has not begun.
   *
   * @throws IllegalArgumentException if the scenario cannot be searched
   */
  public CapacityExperiment(Scenario scenario, Asked asked, Bench bench) {
    this.scenario = scenario;
    this.asked = asked;
    this.bench = bench;
    this.objective = JointObjective.of(scenario.objectives(), asked.share());
    asked.sizing().traffic()
        .flatMap(traffic -> traffic.unlike(Planner.plan(scenario, asked.seed())))
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    double first =
        asked.firstPerSecond().isPresent()
            ? asked.firstPerSecond().getAsDouble()
            : rateOf(Rates.open(scenario.workload().arrival()));
    if (!(first > 0 && first < MOST_REQUESTS)) {
      throw new IllegalArgumentException("the first rate must be > 0, was " + first);
    }
    this.search =
        new CapacitySearch(
            new CapacitySearch.Question(
                objective.share(), first, MOST_REQUESTS / LONGEST_SECONDS,
                asked.budget().orInfinite(), bench.overheadSeconds(),
                asked.seed()));
  }

  private static double rateOf(Rate rate) {
    return switch (rate) {
      case Rate.Steady steady -> steady.perSecond();
      case Rate.Ramp ramp -> throw Rates.unclear(CHANGES);
      case Rate.Sine sine -> throw Rates.unclear(CHANGES);
      case Rate.Steps steps -> throw Rates.unclear(CHANGES);
    };
  }

  @Override
  public String name() {
    return "capacity";
  }

  @Override
  public Memory<ProbeResult> memory() throws IOException {
    return new Memory<>(name(), scenario.name(), fingerprint(), ProbeResult.class);
  }

  @Override
  public Optional<CapacityReport> run(Path folder, Listener listener, BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    RunPlayer player = new RunPlayer(bench, folder.resolve("probes"));
    Journal<ProbeResult> journal = Journal.resume(folder, memory());
    journal.forgetLast(result -> !result.isTrusted());
    if (!journal.done().isEmpty()) {
      listener.say(journal.done().size() + " finished probes are taken from " + folder);
    }
    while (true) {
      CapacitySearch.Step step = search.next(journal.done());
      switch (step) {
        case CapacitySearch.Step.Conclude end -> {
          CapacityReport report =
              new CapacityReport(
                  new CapacityEnd(
                      scenario.name(), bench.words(), objective, asked.budget(), asked.sizing(),
                      end.answer(), journal.done()));
          report.write(folder);
          return Optional.of(report);
        }
        case CapacitySearch.Step.Play play -> {
          if (isStopped.getAsBoolean()) {
            return Optional.empty();
          }
          listener.say(ProbeLine.begin(play.probe(), journal.done(), asked.budget()));
          Optional<ProbeResult> result = play(play.probe(), player);
          if (result.isEmpty()) {
            return Optional.empty();
          }
          journal.add(result.get());
          listener.say(ProbeLine.end(result.get()));
        }
      }
    }
  }

  private Optional<ProbeResult> play(Probe probe, RunPlayer player)
      throws IOException, InterruptedException {
    Optional<RunPlayer.Played> played =
        player.play(plan(probe), String.format(Locale.ROOT, "probe-%03d", probe.number()));
    if (played.isEmpty()) {
      return Optional.empty();
    }
    ProbeResult result =
        ProbeReading.of(
            probe, played.get().elapsedSeconds(), objective, played.get().record());
    player.discard(played.get());
    return Optional.of(result);
  }

  /** The scenario's requests at the probe's rate, as a Poisson process. */
  private Plan plan(Probe probe) {
    Workload given = scenario.workload();
    Arrival arrival =
        new Arrival.Open(
            new Rate.Steady(probe.perSecond()), Arrival.Open.POISSON,
            Variation.capOf(given.arrival()));
    return new Variation(
            new Workload(arrival, given.classes()),
            new Scenario.Extent(Math.round(probe.loadSeconds() * NANOS), 0), probe.seed(),
            stopRules(), scenario.labels())
        .plan(scenario);
  }

  /** A probe far beyond the limits ends early: its queue would have to drain. */
  private Scenario.StopRules stopRules() {
    double longest =
        objective.limits().stream()
            .filter(limit -> limit.metric() == Objective.Metric.TTFT
                || limit.metric() == Objective.Metric.E2E)
            .mapToDouble(Objective::thresholdSeconds)
            .max()
            .orElse(10);
    long ttftNanos = Math.round(Math.max(10, 20 * longest) * NANOS);
    return new Scenario.StopRules(0.9, ttftNanos, 0, 0);
  }

  /** All that a decision depends on but the budget, which may grow when a search goes on. */
  private String fingerprint() throws IOException {
    Probe probe = new Probe(1, Probe.Purpose.BRACKET, 2, 10, 20, asked.seed());
    String options =
        asked.seed() + " " + objective.share() + " " + asked.firstPerSecond() + " "
            + scenario.workload().arrival() + " " + bench.fingerprint();
    return Variation.fingerprint(plan(probe), options);
  }
}
