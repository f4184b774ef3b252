package tallystick.experiment.capacity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.answer.Decision;
import tallystick.experiment.Budget;
import tallystick.experiment.Design;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.EngineWords;
import tallystick.experiment.Fingerprint;
import tallystick.experiment.JointObjective;
import tallystick.experiment.JournalIdentity;
import tallystick.experiment.RateFormat;
import tallystick.experiment.Site;
import tallystick.experiment.TestBed;
import tallystick.plan.Plan;
import tallystick.plan.Planner;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;

/**
 * The largest Poisson rate at which a scenario's objectives hold together, searched with fresh runs
 * on a bench.
 */
public final class CapacityExperiment implements Design<ProbeResult, Decision> {
  /** More requests in one probe than this do not fit a load process. */
  private static final double MOST_REQUESTS = 300_000;

  /** A long probe with its settling and some more: it tells the largest rate that fits. */
  private static final double LONGEST_SECONDS = 200;

  private static final String SESSIONS = "sessions/s";

  /** How many requests an engine runs at once, as it calls it. */
  private static final String SEQUENCES = "max_num_seqs";

  private static final String PROBES = "probes";
  private static final String PREDICTED = "predicted";

  private final Scenario scenario;
  private final JointObjective objective;
  private final TestBed bench;
  private final Asked asked;
  private final double firstPerSecond;
  private final Optional<TestBed> predictor;

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
      FleetSizing sizing) {}

  /**
   * A search that has not begun.
   *
   * @param predictor a simulated engine that is searched before; it tells where to begin
   * @throws IllegalArgumentException if the scenario cannot be searched
   */
  public CapacityExperiment(
      Scenario scenario, Asked asked, TestBed bench, Optional<TestBed> predictor) {
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
        RateFormat.first(
            asked.firstPerSecond()
                .orElseGet(() -> rateOf(RateFormat.open(scenario.workload().arrival()))),
            MOST_REQUESTS);
  }

  private CapacitySearch search(double first, double seconds, TestBed on) {
    return new CapacitySearch(
        new CapacityQuestion(
            objective.share(), first, asked.firstPerSecond().isPresent() || predictor.isPresent(),
            users(on), MOST_REQUESTS / LONGEST_SECONDS, seconds, on.overheadSeconds(),
            asked.seed()));
  }

  /** Of a closed loop that fills the engine; 0 where none does. */
  private int users(TestBed on) {
    if (noCeiling().isPresent()) {
      return 0;
    }
    String told =
        on.settings().stream()
            .filter(one -> one.name().equals(SEQUENCES))
            .map(EngineSetting::asked)
            .findFirst()
            .orElse(scenario.engine().getOrDefault(SEQUENCES, ""));
    return Ceiling.users(told.matches("[1-9]\\d{0,5}") ? Integer.parseInt(told) : 0);
  }

  /** Why no closed loop fills the engine; empty where one does. */
  private Optional<String> noCeiling() {
    if (scenario.targets().size() > 1) {
      return Optional.of("a closed loop cannot find it for several engines");
    }
    return unit().equals(SESSIONS)
        ? Optional.of(
            "sessions pause between turns, so that no closed loop fills the engine")
        : Optional.empty();
  }

  private static double rateOf(Rate rate) {
    return switch (rate) {
      case Rate.Steady steady -> steady.perSecond();
      case Rate.Ramp ramp -> (ramp.from() + ramp.to()) / 2;
      case Rate.Sine sine -> sine.mean();
      case Rate.Steps steps -> {
        double seconds = steps.steps().stream().mapToLong(Rate.Step::nanos).sum() / 1e9;
        yield steps.requestsBy(seconds) / seconds;
      }
    };
  }

  @Override
  public JournalIdentity<ProbeResult> identity() throws IOException {
    return new JournalIdentity<>("capacity", scenario.name(), fingerprint(), ProbeResult.class);
  }

  @Override
  public Budget budget() {
    return asked.budget();
  }

  @Override
  public String runsName() {
    return PROBES;
  }

  @Override
  public boolean isPlayedAgain(ProbeResult last, List<ProbeResult> done, Path folder) {
    // A burst tells its rate, however late its client was: a search goes on with it, too.
    return !last.isBurst()
        && ProbeResult.judged(done, objective.share()).stream()
            .noneMatch(one -> one.isTrusted() && one.probe().equals(last.probe()));
  }

  @Override
  public String line(List<ProbeResult> done) {
    return ProbeLine.end(ProbeResult.judged(done, objective.share()).getLast());
  }

  @Override
  public Optional<Course<ProbeResult, Decision>> course(List<ProbeResult> done, Site site)
      throws IOException, InterruptedException {
    if (predictor.isEmpty()) {
      return Optional.of(measured(Optional.empty(), site));
    }
    site.say("predicting the search in virtual time");
    return PredictedSearch.of(
            search(firstPerSecond, PredictedSearch.BUDGET_SECONDS, predictor.get()),
            player(predictor.get(), site.folder().resolve(PREDICTED)), site)
        .map(forecast -> measured(Optional.of(forecast), site));
  }

  private Course<ProbeResult, Decision> measured(Optional<PredictedSearch> forecast, Site site) {
    CapacitySearch search = search(first(forecast), asked.budget().orInfinite(), bench);
    ProbePlayer player = player(bench, site.folder().resolve(PROBES));
    return done ->
        switch (search.next(done)) {
          case CapacitySearch.Step.Play(Probe probe) ->
              new Next.Play<>(ProbeLine.begin(probe), () -> player.play(probe));
          case CapacitySearch.Step.Conclude(CapacityAnswer answer) ->
              new Next.End<>(
                  () ->
                      Optional.of(
                          end(answer, done, beside(forecast, done, site), site.folder())));
        };
  }

  private CapacityEnd end(
      CapacityAnswer answer, List<ProbeResult> done, Optional<PredictedSearch> forecast,
      Path folder)
      throws IOException {
    return new CapacityEnd(
        scenario.name(), unit(), EngineWords.of(bench.words(), folder.resolve(PROBES)), objective,
        asked.budget(), asked.sizing(), answer, ProbeResult.judged(done, objective.share()),
        forecast,
        noCeiling()
            .map(Ceiling::none)
            .or(() -> Ceiling.of(done, objective.share())));
  }

  /** What was predicted, with the measured probes; empty where nothing was, or it was stopped. */
  private Optional<PredictedSearch> beside(
      Optional<PredictedSearch> forecast, List<ProbeResult> done, Site site)
      throws IOException, InterruptedException {
    return forecast.isEmpty()
        ? forecast
        : forecast.get().beside(
            done, player(predictor.get(), site.folder().resolve(PREDICTED)), site);
  }

  /** Where the search begins: at what is predicted, unless the user says where. */
  private double first(Optional<PredictedSearch> forecast) {
    OptionalDouble predicted =
        forecast.map(PredictedSearch::perSecond).orElse(OptionalDouble.empty());
    return asked.firstPerSecond().isPresent() ? firstPerSecond : predicted.orElse(firstPerSecond);
  }

  private ProbePlayer player(TestBed on, Path folder) {
    return new ProbePlayer(scenario, objective, on, folder);
  }

  private Plan shortPlan() {
    Probe probe = new Probe(1, Probe.Purpose.BRACKET, 2, 10, 20, 0);
    return ProbePlayer.plan(scenario, objective, probe);
  }

  /** Conversations come as one: only their first requests are a Poisson process. */
  private String unit() {
    return shortPlan().requests().stream().anyMatch(request -> request.turn() > 0)
        ? SESSIONS
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
        .with("--predict", predictor.map(TestBed::fingerprint));
  }
}
