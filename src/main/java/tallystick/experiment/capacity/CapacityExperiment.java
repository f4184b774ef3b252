package tallystick.experiment.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BooleanSupplier;
import tallystick.answer.Decision;
import tallystick.experiment.Bench;
import tallystick.experiment.Budget;
import tallystick.experiment.EngineWords;
import tallystick.experiment.Experiment;
import tallystick.experiment.Fingerprint;
import tallystick.experiment.JointObjective;
import tallystick.experiment.Journal;
import tallystick.experiment.Listener;
import tallystick.experiment.Memory;
import tallystick.experiment.Rates;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;

/**
 * The largest Poisson rate at which a scenario's objectives hold together, searched with fresh runs
 * on a bench.
 */
public final class CapacityExperiment implements Experiment<Decision> {
  /** More requests in one probe than this do not fit a load process. */
  private static final double MOST_REQUESTS = 300_000;

  private static final String CHANGES = "its rate changes over time";

  /** A long probe with its settling and some more: it tells the largest rate that fits. */
  private static final double LONGEST_SECONDS = 200;

  private static final String PROBES = "probes";

  private final Scenario scenario;
  private final JointObjective objective;
  private final Bench bench;
  private final Asked asked;
  private final double firstPerSecond;
  private final Optional<Bench> predictor;

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
   * @param predictor a simulated engine that is searched before; it tells where to begin
   * @throws IllegalArgumentException if the scenario cannot be searched
   */
  public CapacityExperiment(
      Scenario scenario, Asked asked, Bench bench, Optional<Bench> predictor) {
    this.scenario = scenario;
    this.predictor = predictor;
    this.asked = asked;
    this.bench = bench;
    this.objective = JointObjective.of(scenario.objectives(), asked.share());
    asked.sizing().traffic()
        .flatMap(traffic -> traffic.unlike(Planner.plan(scenario, asked.seed())))
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    this.firstPerSecond =
        asked.firstPerSecond().isPresent()
            ? asked.firstPerSecond().getAsDouble()
            : rateOf(Rates.open(scenario.workload().arrival()));
    if (!(firstPerSecond > 0 && firstPerSecond < MOST_REQUESTS)) {
      throw new IllegalArgumentException("the first rate must be > 0, was " + firstPerSecond);
    }
  }

  private CapacitySearch search(double first, double seconds, Bench on) {
    return new CapacitySearch(
        new CapacityQuestion(
            objective.share(), first, MOST_REQUESTS / LONGEST_SECONDS, seconds,
            on.overheadSeconds(), asked.seed()));
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
  public Optional<Decision> run(Path folder, Listener listener, BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    Journal<ProbeResult> journal = Journal.resume(folder, memory());
    Set<Integer> usable = ProbeResult.usable(journal.done(), objective.share());
    journal.forgetLast(result -> !usable.contains(result.probe().number()));
    if (!journal.done().isEmpty()) {
      listener.say(journal.done().size() + " finished probes are taken from " + folder);
    }
    Optional<ProbePlayer> simulated =
        predictor.map(engine -> player(engine, folder.resolve("predicted")));
    Optional<Forecast> forecast = Optional.empty();
    if (simulated.isPresent()) {
      listener.say("predicting: the search in virtual time");
      forecast =
          Forecast.of(
              search(firstPerSecond, Forecast.BUDGET_SECONDS, predictor.get()), simulated.get(),
              isStopped);
    }
    Optional<CapacityAnswer> answer =
        measure(journal, first(forecast), folder, listener, isStopped);
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    if (forecast.isPresent()) {
      forecast = forecast.get().beside(journal.done(), simulated.get(), isStopped);
    }
    return Optional.of(
        new CapacityEnd(
            scenario.name(), unit(), EngineWords.of(bench.words(), folder.resolve(PROBES)),
            objective, asked.budget(), asked.sizing(), answer.get(),
            ProbeResult.judged(journal.done(), objective.share()), forecast));
  }

  /** Where the search begins: at what is predicted, unless the user says where. */
  private double first(Optional<Forecast> forecast) {
    OptionalDouble predicted =
        forecast.map(Forecast::perSecond).orElse(OptionalDouble.empty());
    return asked.firstPerSecond().isPresent() ? firstPerSecond : predicted.orElse(firstPerSecond);
  }

  private ProbePlayer player(Bench on, Path folder) {
    return new ProbePlayer(scenario, objective, on, folder);
  }

  /** Plays what the search asks for until it ends; empty if somebody stopped it. */
  private Optional<CapacityAnswer> measure(
      Journal<ProbeResult> journal, double first, Path folder, Listener listener,
      BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    CapacitySearch search = search(first, asked.budget().orInfinite(), bench);
    ProbePlayer player = player(bench, folder.resolve(PROBES));
    while (true) {
      switch (search.next(journal.done())) {
        case CapacitySearch.Step.Conclude end -> {
          return Optional.of(end.answer());
        }
        case CapacitySearch.Step.Play play -> {
          if (isStopped.getAsBoolean()) {
            return Optional.empty();
          }
          listener.say(ProbeLine.begin(play.probe(), journal.done(), asked.budget()));
          Optional<ProbeResult> result = player.play(play.probe(), journal.done());
          if (result.isEmpty()) {
            return Optional.empty();
          }
          journal.add(result.get());
          listener.say(
              ProbeLine.end(
                  ProbeResult.judged(journal.done(), objective.share()).getLast()));
        }
      }
    }
  }

  private Plan shortPlan() {
    Probe probe = new Probe(1, Probe.Purpose.BRACKET, 2, 10, 20, 0);
    return ProbePlayer.plan(scenario, objective, probe);
  }

  /** Conversations come as one: only their first requests are a Poisson process. */
  private String unit() {
    return shortPlan().requests().stream().anyMatch(request -> request.turn() > 0)
        ? "conversations/s"
        : "requests/s";
  }

  /** All that a decision depends on but the budget, which may grow when a search goes on. */
  private Fingerprint fingerprint() throws IOException {
    return Fingerprint.of(shortPlan())
        .with("its arrivals", scenario.workload().arrival())
        .with("--seed", asked.seed())
        .with("--share", objective.share())
        .with("--from", asked.firstPerSecond())
        .with("the engine", bench.fingerprint())
        .with("what tally notes of a probe", ProbeResult.FORMAT)
        .with("--predict", predictor.map(Bench::fingerprint));
  }
}
