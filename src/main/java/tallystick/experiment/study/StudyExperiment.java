package tallystick.experiment.study;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;
import tallystick.alerting.derivation.Signal;
import tallystick.experiment.Budget;
import tallystick.experiment.Design;
import tallystick.experiment.EngineWords;
import tallystick.experiment.Fingerprint;
import tallystick.experiment.JournalIdentity;
import tallystick.experiment.RateFormat;
import tallystick.experiment.Site;
import tallystick.experiment.TestBed;
import tallystick.scenario.Counted;
import tallystick.scenario.Objective;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;
import tallystick.scenario.Workload;

/** Alert thresholds from as little load as they need: each run is chosen by what is missing. */
public final class StudyExperiment implements Design<StudyResult, FinishedStudy> {
  /** More requests in one run than this do not fit a load process. */
  private static final double MOST_REQUESTS = 200_000;

  /** As StepChoice.LONGEST_WINDOW: no step may hold more requests than a run can. */
  private static final double LONGEST_SECONDS = 300;

  private final Scenario scenario;
  private final Asked asked;
  private final TestBed bench;
  private final Optional<TestBed> predictor;
  private final List<Mix> mixes;
  private final List<Objective> objectives;
  private final double firstPerSecond;
  private final StudyPlayer player;

  /**
   * What the user asks beside the scenario.
   *
   * @param second the other traffic mix; empty varies the scenario's
   * @param firstPerSecond rate of the first short run; empty takes the scenario's
   * @param budget time for all runs
   * @param seed of the study
   */
  public record Asked(
      Optional<Workload> second, OptionalDouble firstPerSecond, Budget budget, long seed) {}

  /**
   * A study that has not begun.
   *
   * @param predictor a simulated engine whose capacity is looked for before; it tells where to
   *     begin
   * @throws IllegalArgumentException if the scenario cannot be studied
   */
  public StudyExperiment(
      Scenario scenario, Asked asked, TestBed bench, Optional<TestBed> predictor) {
    this.predictor = predictor;
    this.scenario = scenario;
    this.asked = asked;
    this.bench = bench;
    Mix given = new Mix(Mix.GIVEN, scenario.workload().classes());
    this.mixes =
        List.of(
            given,
            asked.second()
                .map(other -> new Mix("other", other.classes()))
                .orElseGet(() -> Mix.varied(given.classes())));
    this.objectives = objectives(scenario);
    this.player = new StudyPlayer(scenario, mixes, objectives);
    this.firstPerSecond =
        RateFormat.first(
            asked.firstPerSecond()
                .orElseGet(() -> rateOf(RateFormat.open(scenario.workload().arrival()))),
            MOST_REQUESTS / LONGEST_SECONDS);
  }

  /** A rate that the user names is where the first mix begins, whatever is predicted. */
  private StudySearch search(Map<String, Double> predicted, double seconds, TestBed on) {
    Map<String, Double> begin = new TreeMap<>(predicted);
    if (asked.firstPerSecond().isPresent()) {
      begin.remove(Mix.GIVEN);
    }
    return new StudySearch(
        new StudySearch.Question(
            mixes.stream().map(Mix::name).toList(), firstPerSecond, begin,
            MOST_REQUESTS / LONGEST_SECONDS, seconds, on.overheadSeconds(), on.isRepeatable(),
            asked.seed()));
  }

  /** Those that an engine has a histogram for; the first is the one for TTFT if there is one. */
  private static List<Objective> objectives(Scenario scenario) {
    List<Objective> usable =
        scenario.objectives().stream()
            .filter(one -> Signal.histogram(one.metric()).isPresent())
            .toList();
    if (usable.isEmpty()) {
      throw new IllegalArgumentException(
          "the scenario has no objective that an engine has a histogram for; write for example"
              + " objectives: [{ttft: 500ms, share: 0.99}]");
    }
    Map<Objective.Metric, Objective> ofMetric = new LinkedHashMap<>();
    Stream.concat(
            usable.stream().filter(one -> one.metric() == Objective.Metric.TTFT), usable.stream())
        .forEach(one -> ofMetric.putIfAbsent(one.metric(), one));
    return List.copyOf(ofMetric.values());
  }

  private List<Objective> leftOut() {
    return scenario.objectives().stream().filter(one -> !objectives.contains(one)).toList();
  }

  /** A rate that changes begins where it is largest: the scenario's author knows the engine. */
  private static double rateOf(Rate rate) {
    return switch (rate) {
      case Rate.Steady steady -> steady.perSecond();
      case Rate.Ramp ramp -> Math.max(ramp.from(), ramp.to());
      case Rate.Sine sine -> sine.mean();
      case Rate.Steps steps ->
          steps.steps().stream().mapToDouble(Rate.Step::perSecond).max().orElseThrow();
    };
  }

  @Override
  public JournalIdentity<StudyResult> identity() throws IOException {
    return new JournalIdentity<>("study", scenario.name(), fingerprint(), StudyResult.class);
  }

  @Override
  public Budget budget() {
    return asked.budget();
  }

  @Override
  public boolean isPlayedAgain(StudyResult last, List<StudyResult> done, Path folder) {
    return !last.trusted() || !player.isWhole(last, folder);
  }

  @Override
  public String line(List<StudyResult> done) {
    return StudyLines.end(done.getLast());
  }

  @Override
  public Optional<Course<StudyResult, FinishedStudy>> course(List<StudyResult> done, Site site)
      throws IOException, InterruptedException {
    if (predictor.isEmpty()) {
      return Optional.of(measured(Optional.empty(), site));
    }
    site.say("predicting the short runs in virtual time");
    StudySearch unaided = search(Map.of(), Double.POSITIVE_INFINITY, predictor.get());
    return PredictedStudy.of(unaided, player, predictor.get(), site)
        .map(forecast -> measured(Optional.of(forecast), site));
  }

  private Course<StudyResult, FinishedStudy> measured(
      Optional<PredictedStudy> forecast, Site site) {
    StudySearch search =
        search(
            forecast.map(PredictedStudy::capacities).orElse(Map.of()), asked.budget().orInfinite(),
            bench);
    DerivationSnapshot evidence = new DerivationSnapshot(site.folder(), objectives);
    return done -> {
      List<StudyResult> measured = StudySearch.measured(done);
      List<ThresholdProgress> standings = evidence.standings(measured);
      StudyLines.missing(standings).ifPresent(site::say);
      return switch (search.next(done, standings)) {
        case StudySearch.Next.Play(StudyRun run) ->
            new Next.Play<>(
                StudyLines.begin(run), () -> player.play(run, bench, site.folder()));
        case StudySearch.Next.Conclude(StudyEnd end) ->
            new Next.End<>(
                () ->
                    Optional.of(
                        finished(
                            end, done, standings, evidence, beside(forecast, measured, site),
                            site)));
      };
    };
  }

  private FinishedStudy finished(
      StudyEnd end,
      List<StudyResult> done,
      List<ThresholdProgress> standings,
      DerivationSnapshot evidence,
      Optional<PredictedStudy> forecast,
      Site site)
      throws IOException {
    List<StudyResult> measured = StudySearch.measured(done);
    if (!standings.isEmpty()) {
      site.say("reading " + Counted.of(measured.size(), "run", "runs") + " for the alerts");
    }
    return new FinishedStudy(
        scenario.name(), EngineWords.of(bench.words(), site.folder().resolve("runs")),
        evidence.model(measured), asked.budget(), end, done, standings, leftOut(), forecast,
        evidence.reviews(done));
  }

  /** What was predicted, with the measured runs; empty where nothing was, or it was stopped. */
  private Optional<PredictedStudy> beside(
      Optional<PredictedStudy> forecast, List<StudyResult> measured, Site site)
      throws IOException, InterruptedException {
    return forecast.isEmpty()
        ? forecast
        : forecast.get().beside(measured, player, predictor.get(), site);
  }

  /** All that a decision depends on but the budget, which may grow when a study goes on. */
  private Fingerprint fingerprint() throws IOException {
    StudyRun run =
        new StudyRun(
            1, Mix.GIVEN, 10, List.of(new StudyStep(1, StudyStep.Kind.SCOUT, 2, 10)), 0);
    return Fingerprint.of(player.plan(run))
        .with("its arrivals", scenario.workload().arrival())
        .with("--seed", asked.seed())
        .with("--from", asked.firstPerSecond())
        .with("--mix", mixes.getLast())
        .with("the engine", bench.fingerprint())
        .with("--predict", predictor.map(TestBed::fingerprint));
  }
}
