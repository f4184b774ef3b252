package tallystick.experiment.tune;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import tallystick.analysis.result.Strength;
import tallystick.experiment.Budget;
import tallystick.experiment.Design;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.EngineProvider;
import tallystick.experiment.EngineWords;
import tallystick.experiment.ExperimentLoop;
import tallystick.experiment.Fingerprint;
import tallystick.experiment.JointObjective;
import tallystick.experiment.JournalEntry;
import tallystick.experiment.JournalIdentity;
import tallystick.experiment.PlanVariant;
import tallystick.experiment.RateFormat;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.Site;
import tallystick.experiment.TestBed;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.FiguresReading;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.experiment.regress.RegressionJudge;
import tallystick.plan.Plan;
import tallystick.scenario.Formatted;
import tallystick.scenario.Scenario;

/**
 * Tries settings of an engine under one load: blocks of all cells that are left, then fresh pairs
 * of the cell that looks best against the current one.
 */
public final class TuneExperiment implements Design<TunedRun, TuneEnd> {
  private static final String RUNS = "runs";

  private final Scenario scenario;
  private final JointObjective objective;
  private final Asked asked;
  private final EngineProvider engines;
  private final List<EngineProvider> predictors;
  private final Screening.Question question;

  /**
   * What the user asks beside the scenario.
   *
   * @param grid what is tried
   * @param share of requests that must keep all limits; empty takes the objectives' own
   * @param blocks how often every cell is played, at least 2
   * @param pairs fresh pairs of the best cell against the current one
   * @param margins what the best cell may be worse by
   * @param budget time for all runs
   * @param seed of the experiment
   */
  public record Asked(
      DesignSpace grid,
      OptionalDouble share,
      int blocks,
      int pairs,
      NonInferiorityMargins margins,
      Budget budget,
      long seed) {}

  /**
   * A tuning that has not begun.
   *
   * @param predictors simulated engines that first predict every cell: as a profile has them, and
   *     off by {@link #predicted()}; none where nothing is predicted
   * @throws IllegalArgumentException if it cannot be done
   */
  public TuneExperiment(
      Scenario scenario, Asked asked, EngineProvider engines, List<EngineProvider> predictors) {
    this.predictors = List.copyOf(predictors);
    this.scenario = scenario;
    this.asked = asked;
    this.engines = engines;
    this.objective = JointObjective.of(scenario.objectives(), asked.share());
    if (objective.judgesSessions()) {
      throw new IllegalArgumentException(
          "tune compares good requests, and an objective judges sessions; write e2e instead");
    }
    this.question =
        new Screening.Question(asked.grid(), objective.share(), asked.blocks(), asked.seed());
    if (asked.blocks() < 2 || asked.pairs() < RegressionJudge.FEWEST) {
      throw new IllegalArgumentException(
          "--blocks must be at least 2 and --repeats at least " + RegressionJudge.FEWEST
              + ", were " + asked.blocks() + " and " + asked.pairs());
    }
    asked.grid().cells().forEach(
        cell -> {
          engines.with(cell.settings(), 0);
          predictors.forEach(one -> one.with(cell.settings(), 0));
        });
    double least = (asked.grid().cells().size() + 1) * shortest();
    if (least > asked.budget().orInfinite()) {
      throw new IllegalArgumentException(
          Formatted.of(
              "the budget is too small: one block of %d settings needs at least %.0f s; give a"
                  + " larger"
                  + " --budget, fewer values or a scenario with a shorter duration",
              asked.grid().cells().size(), Math.ceil(least)));
    }
  }

  /** How long a step takes in each prediction, as shares of the profile's times. */
  public static List<Double> predicted() {
    return PredictedGrid.TIMES;
  }

  /** What the profile predicts of each cell; empty if somebody stopped it. */
  private Optional<PredictedGrid> forecast(Site site) throws IOException, InterruptedException {
    List<List<ComparedRun>> plays = new ArrayList<>();
    for (EngineProvider engine : predictors) {
      Optional<List<ComparedRun>> play =
          ExperimentLoop.<Configuration, ComparedRun>rehearse(
              asked.grid().cells(), cell -> predicted(cell, engine, site.folder()), site);
      if (play.isEmpty()) {
        return Optional.empty();
      }
      plays.add(play.get());
    }
    PredictedGrid forecast = new PredictedGrid(asked.grid(), objective.share(), plays);
    forecast.worse().forEach(
        (cell, why) ->
            site.say(
                "predicted (simulated): " + asked.grid().cells().get(cell).words() + ": " + why
                    + (forecast.leftOut().contains(cell)
                        ? ", not measured"
                        : ", measured as a check")));
    return Optional.of(forecast);
  }

  private Optional<ComparedRun> predicted(Configuration cell, EngineProvider engine, Path folder)
      throws IOException, InterruptedException {
    return new RunPlayer(engine.with(cell.settings(), 0), folder.resolve("predicted"))
        .read(
            plan(cell, RateFormat.seed(asked.seed(), 1)), "cell-" + cell.number(),
            played -> FiguresReading.analyze(played.record()));
  }

  private TestBed current() {
    return engines.with(asked.grid().current().settings(), 0);
  }

  /** What a run takes at least. */
  private double shortest() {
    return current().shortestSeconds(scenario);
  }

  @Override
  public JournalIdentity<TunedRun> identity() throws IOException {
    return new JournalIdentity<>("tune", scenario.name(), fingerprint(), TunedRun.class);
  }

  /** All that a decision depends on but the budget and how many blocks and pairs there are. */
  private Fingerprint fingerprint() throws IOException {
    return Fingerprint.of(plan(asked.grid().current(), 0))
        .with("--seed", asked.seed())
        .with("--share", objective.share())
        .with("--vary or --current", asked.grid().asJournalsKnowIt())
        .with("--margin", asked.margins().asJournalsKnowThem())
        .with("the engine", current().fingerprint())
        .with("--predict", predictedBy());
  }

  private List<String> predictedBy() {
    return predictors.stream()
        .map(one -> one.with(asked.grid().current().settings(), 0).fingerprint())
        .toList();
  }

  private Plan plan(Configuration cell, long seed) {
    Map<String, String> labels = new TreeMap<>(scenario.labels());
    labels.putAll(cell.settings());
    return new PlanVariant(
            scenario.workload(), scenario.extent(), seed, scenario.stop(), labels)
        .plan(scenario);
  }

  @Override
  public Budget budget() {
    return asked.budget();
  }

  @Override
  public String line(List<TunedRun> done) {
    return end(done.getLast());
  }

  /** What is said when a run begins. */
  private String begin(TunedRun.Step step, Screening screening) {
    String again = step.attempt() > 1 ? "   once more" : "";
    return Formatted.of(
        "run %d   block %d of %d, %d cells   %s%s", step.number(), step.block(),
        question.blocks() + screening.drifted().size(), screening.left().size(),
        question.grid().cells().get(step.cell()).words(), again);
  }

  /** What is said of a finished run. */
  private static String end(TunedRun run) {
    if (run.failed()) {
      return "         " + (run.hasDied() ? "died twice: " : "does not start: ") + run.failure();
    }
    ComparedRun figures = run.figures().getFirst();
    if (!run.counts()) {
      return "         doubtful: " + figures.doubts().getFirst().text();
    }
    return Formatted.of(
        "         goodput %.4g/s, %.4g %% good, ITL P99 %s, TTFT P95 %s",
        TunedMetric.GOODPUT.figure(TunedMetric.GOODPUT.cost(figures)),
        100 * TunedMetric.goodShare(figures), time(figures, ComparedMetric.ITL_P99),
        time(figures, ComparedMetric.TTFT_P95));
  }

  private static String time(ComparedRun figures, ComparedMetric metric) {
    return figures.metrics().containsKey(metric)
        ? JointObjective.duration(figures.metrics().get(metric))
        : "n/a";
  }

  @Override
  public Optional<Course<TunedRun, TuneEnd>> course(List<TunedRun> taken, Site site)
      throws IOException, InterruptedException {
    return forecast(site)
        .map(forecast -> done -> next(new Screening(question, forecast, done), done, site));
  }

  private Next<TunedRun, TuneEnd> next(
      Screening screening, List<TunedRun> done, Site site) throws IOException {
    if (!goesOn(screening, done)) {
      return new Next.End<>(() -> conclude(screening, done, site));
    }
    TunedRun.Step step = screening.due().orElseThrow();
    return new Next.Play<>(
        begin(step, screening), () -> play(step, site.folder()));
  }

  /** A block is begun only if it fits, and leaves time to confirm what looks best by now. */
  private boolean goesOn(Screening screening, List<TunedRun> done) throws IOException {
    ConfigurationStatus current = screening.standing(screening.current());
    if (current.kind() == ConfigurationStatus.Kind.NOT_STARTED) {
      throw new IOException(
          "the current settings " + asked.grid().current().words() + " do not start: "
              + current.why());
    }
    if (screening.due().isEmpty() || tooManySpoiled(done)) {
      return false;
    }
    if (!screening.isBetweenBlocks() || done.isEmpty()) {
      return true;
    }
    double left = asked.budget().orInfinite() - JournalEntry.elapsedSeconds(done);
    double block = (screening.left().size() + 1) * each(done, screening.left());
    Optional<Configuration> leader =
        new LeaderSelection(screening, question, asked.margins()).leader();
    double fewest =
        leader
            .map(cell -> 2 * RegressionJudge.FEWEST * each(done, both(cell)))
            .orElse(0.0);
    return block <= left && (fewest > left || block + fewest <= left);
  }

  private static boolean tooManySpoiled(List<TunedRun> done) {
    long spoiled = done.stream().filter(TunedRun::isSpoiled).count();
    return spoiled >= 3 && 2 * spoiled > done.size();
  }

  /** What a run of these cells takes; one that is out may take much longer. */
  private double each(List<TunedRun> done, List<Integer> cells) {
    return done.stream()
        .filter(run -> cells.contains(run.step().cell()))
        .mapToDouble(TunedRun::elapsedSeconds)
        .max()
        .orElse(shortest());
  }

  private List<Integer> both(Configuration leader) {
    return List.of(asked.grid().current().number(), leader.number());
  }

  /** Settings that end the engine twice are no accident; without today's there is no answer. */
  private Optional<TunedRun> play(TunedRun.Step step, Path folder)
      throws IOException, InterruptedException {
    for (boolean isAgain = false; ; isAgain = true) {
      try {
        return playOnce(step, folder);
      } catch (EngineFailure e) {
        boolean hasDied = e.moment() == EngineFailure.Moment.RUN;
        if (hasDied && step.cell() == asked.grid().current().number()) {
          throw e;
        }
        if (!hasDied || isAgain) {
          return Optional.of(
              new TunedRun(
                  step, hasDied ? 2 * shortest() : current().overheadSeconds(), List.of(),
                  List.of(), e.getMessage(), hasDied));
        }
      }
    }
  }

  private Optional<TunedRun> playOnce(TunedRun.Step step, Path folder)
      throws IOException, InterruptedException {
    Configuration cell = asked.grid().cells().get(step.cell());
    TestBed bench = engines.with(cell.settings(), step.number());
    return new RunPlayer(bench, folder.resolve(RUNS))
        .read(
            plan(cell, step.seed()),
            Formatted.of("run-%03d-cell-%02d", step.number(), step.cell()),
            played ->
                FiguresReading.analyze(played.record())
                    .as(
                        figures ->
                            new TunedRun(
                                step, played.elapsedSeconds(), List.of(figures),
                                bench.settings(), "", false)));
  }

  private Optional<TuneEnd> conclude(Screening screening, List<TunedRun> done, Site site)
      throws IOException, InterruptedException {
    LeaderSelection choice = new LeaderSelection(screening, question, asked.margins());
    Optional<Configuration> leader = tooManySpoiled(done) ? Optional.empty() : choice.leader();
    int pairs = leader.map(cell -> pairs(done, cell)).orElse(0);
    TuneAnswer answer;
    String time = asked.budget().used(JournalEntry.elapsedSeconds(done));
    if (leader.isPresent() && pairs >= RegressionJudge.FEWEST) {
      Optional<ConfirmationRuns.Answer> fresh =
          new ConfirmationRuns(
                  scenario, engines, asked.margins(), asked.seed(), asked.grid().current(),
                  leader.get(), pairs)
              .play(objective.share(), site);
      if (fresh.isEmpty()) {
        return Optional.empty();
      }
      answer = fresh.get().answer();
      time += fresh.get().time();
    } else {
      answer = unconfirmed(choice, leader, done);
    }
    return Optional.of(
        new TuneEnd(
            scenario.name(), EngineWords.of(current().words(), site.folder().resolve(RUNS)),
            asked.grid(), objective, screening, choice, answer, done, time));
  }

  /** As many as were asked for, or as fit; told by the blocks alone, so that it never changes. */
  private int pairs(List<TunedRun> done, Configuration leader) {
    double runs =
        (asked.budget().orInfinite() - JournalEntry.elapsedSeconds(done))
            / each(done, both(leader));
    return (int) Math.min(asked.pairs(), runs / 2);
  }

  private TuneAnswer unconfirmed(
      LeaderSelection choice, Optional<Configuration> leader, List<TunedRun> done) {
    if (tooManySpoiled(done)) {
      return new TuneAnswer.Untrusted(
          done.stream()
              .filter(TunedRun::isSpoiled)
              .findFirst()
              .map(run -> run.figures().getFirst().doubts().getFirst().text())
              .orElse("runs cannot be used"));
    }
    if (leader.isPresent()) {
      SmallSampleStatistics.Gain gain = choice.gain(leader.get());
      return gain.low() > 0
          ? new TuneAnswer.Plain(
              leader.get(), gain.shares(), choice.blocks(), RegressionJudge.FEWEST)
          : new TuneAnswer.CannotTell(
              leader.get().flags() + " looks best, but no time is left for fresh pairs", 0);
    }
    if (choice.noneHolds() != Strength.TOO_CLOSE) {
      return new TuneAnswer.NoneHolds(choice.noneHolds(), choice.ahead());
    }
    Optional<Configuration> dearest = choice.dearest();
    if (dearest.isPresent() && choice.gain(dearest.get()).low() > 0) {
      return new TuneAnswer.TradeOff(
          dearest.get(), choice.gain(dearest.get()).shares(), choice.prices(dearest.get()),
          choice.accepting(dearest.get()));
    }
    Optional<TuneAnswer.Ahead> ahead = choice.ahead();
    if (ahead.isPresent()) {
      return new TuneAnswer.MayHold(ahead.get(), choice.blocksToTell(ahead.get().cell()));
    }
    if (choice.isPredictedOnly()) {
      return new TuneAnswer.CannotTell(
          "no measured setting keeps the objectives; the others were only predicted to fail", 0);
    }
    return choice.currentIsBest() == Strength.TOO_CLOSE
        ? new TuneAnswer.CannotTell(
            "these runs cannot tell whether any setting is better or worse than today's "
                + asked.grid().current().words(),
            choice.blocksNeeded())
        : new TuneAnswer.KeepCurrent(choice.currentIsBest());
  }
}
