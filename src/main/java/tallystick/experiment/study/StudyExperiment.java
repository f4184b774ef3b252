package tallystick.experiment.study;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import tallystick.alerting.derivation.AlertDerivation;
import tallystick.experiment.Bench;
import tallystick.experiment.Budget;
import tallystick.experiment.Experiment;
import tallystick.experiment.Journal;
import tallystick.experiment.Listener;
import tallystick.experiment.Memory;
import tallystick.experiment.Rates;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.Variation;
import tallystick.plan.Plan;
import tallystick.scenario.Arrival;
import tallystick.scenario.Objective;
import tallystick.scenario.Rate;
import tallystick.scenario.Scenario;
import tallystick.scenario.Workload;

/** Alert thresholds from as little load as they need: each run is chosen by what is missing. */
public final class StudyExperiment implements Experiment<StudyReport> {
  private static final double NANOS = 1e9;

  /** More requests in one run than this do not fit a load process. */
  private static final double MOST_REQUESTS = 200_000;

  private static final double LONGEST_SECONDS = 300;

  private final Scenario scenario;
  private final Asked asked;
  private final Bench bench;
  private final List<Mix> mixes;
  private final List<Objective> objectives;
  private final StudySearch search;

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
   * @throws IllegalArgumentException if the scenario cannot be studied
   */
  public StudyExperiment(Scenario scenario, Asked asked, Bench bench) {
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
    double first =
        asked.firstPerSecond()
            .orElseGet(() -> rateOf(Rates.open(scenario.workload().arrival())));
    if (!(first > 0 && first < MOST_REQUESTS / LONGEST_SECONDS)) {
      throw new IllegalArgumentException("the first rate must be > 0, was " + first);
    }
    this.search =
        new StudySearch(
            new StudySearch.Question(
                mixes.stream().map(Mix::name).toList(), first, MOST_REQUESTS / LONGEST_SECONDS,
                asked.budget().orInfinite(), bench.overheadSeconds(), asked.seed()));
  }

  /** Those that an engine has a histogram for; the first is the one for TTFT if there is one. */
  private static List<Objective> objectives(Scenario scenario) {
    List<Objective> usable =
        scenario.objectives().stream()
            .filter(one -> AlertDerivation.histogram(one.metric()).isPresent())
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
  public String name() {
    return "study";
  }

  @Override
  public Memory<StudyResult> memory() throws IOException {
    return new Memory<>(name(), scenario.name(), fingerprint(), StudyResult.class);
  }

  @Override
  public Optional<StudyReport> run(Path folder, Listener listener, BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    Journal<StudyResult> journal = Journal.resume(folder, memory());
    journal.forgetLast(result -> !result.trusted());
    if (!journal.done().isEmpty()) {
      listener.say(journal.done().size() + " finished runs are taken from " + folder);
    }
    Evidence evidence = new Evidence(folder, objectives);
    StudyLines lines = new StudyLines(asked.budget());
    while (true) {
      List<StudyResult> measured = StudySearch.measured(journal.done());
      List<Standing> standings = evidence.standings(measured);
      lines.missing(standings).ifPresent(listener::say);
      switch (search.next(journal.done(), standings)) {
        case StudySearch.Next.Conclude(StudyEnd end) -> {
          StudyReport report =
              new StudyReport(
                  new FinishedStudy(
                      scenario.name(), bench.words(), evidence.model(measured), asked.budget(), end,
                      journal.done(), standings, leftOut()),
                  evidence.reviews(measured));
          report.write(folder);
          return Optional.of(report);
        }
        case StudySearch.Next.Play(StudyRun next) -> {
          if (isStopped.getAsBoolean()) {
            return Optional.empty();
          }
          listener.say(lines.begin(next, journal.done()));
          Optional<StudyResult> result = play(next, folder);
          if (result.isEmpty()) {
            return Optional.empty();
          }
          journal.add(result.get());
          listener.say(lines.end(result.get()));
        }
      }
    }
  }

  /** Every record is kept: thresholds are derived from all of them together. */
  private Optional<StudyResult> play(StudyRun run, Path folder)
      throws IOException, InterruptedException {
    Optional<RunPlayer.Played> played =
        new RunPlayer(bench, folder.resolve("runs"))
            .play(plan(run), String.format(Locale.ROOT, "run-%03d", run.number()));
    if (played.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        StudyReading.of(
            run, folder.relativize(played.get().folder()).toString(),
            played.get().elapsedSeconds(), objectives, played.get().record()));
  }

  private Plan plan(StudyRun run) {
    Mix mix =
        mixes.stream().filter(one -> one.name().equals(run.mix())).findFirst().orElseThrow();
    Rate rate =
        new Rate.Steps(
            run.steps().stream()
                .map(step -> new Rate.Step(step.name(), step.perSecond(), nanos(step.seconds())))
                .toList());
    Arrival arrival =
        new Arrival.Open(
            rate, Arrival.Open.POISSON, Variation.capOf(scenario.workload().arrival()));
    Map<String, String> labels = new TreeMap<>(scenario.labels());
    labels.put("mix", run.mix());
    return new Variation(
            new Workload(arrival, mix.classes()),
            new Scenario.Extent(
                run.steps().stream().mapToLong(step -> nanos(step.seconds())).sum(), 0),
            run.seed(),
            Scenario.StopRules.NEVER, labels)
        .plan(scenario);
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * NANOS);
  }

  /** All that a decision depends on but the budget, which may grow when a study goes on. */
  private String fingerprint() throws IOException {
    StringBuilder options = new StringBuilder();
    options.append(asked.seed()).append(' ').append(asked.firstPerSecond()).append(' ');
    options.append(mixes).append(' ').append(objectives).append(' ').append(bench.fingerprint());
    StudyRun run =
        new StudyRun(
            1, Mix.GIVEN, 10, List.of(new StudyStep(1, StudyStep.Kind.SCOUT, 2, 10)),
            asked.seed());
    return Variation.fingerprint(plan(run), options.toString());
  }
}
