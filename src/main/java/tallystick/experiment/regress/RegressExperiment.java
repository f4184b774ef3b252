package tallystick.experiment.regress;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tallystick.experiment.Budget;
import tallystick.experiment.Design;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.Fingerprint;
import tallystick.experiment.JointObjective;
import tallystick.experiment.Journal;
import tallystick.experiment.JournalEntry;
import tallystick.experiment.JournalIdentity;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.Site;
import tallystick.experiment.TestBed;
import tallystick.experiment.regress.PlayedRun.Role;
import tallystick.experiment.regress.PlayedRun.Step;
import tallystick.plan.Plan;
import tallystick.plan.PlanTotals;
import tallystick.plan.Planner;
import tallystick.runrecord.WholeFile;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;
import tallystick.scenario.LengthOfTime;
import tallystick.scenario.Scenario;

/** Plays a base and a candidate in turn under the same schedules, and judges them. */
public final class RegressExperiment implements Design<PlayedRun, RegressReport> {
  private static final double NANOS = 1e9;

  /** What asks for it, and what its journal says. */
  private static final String NAME = "regress";

  private final Scenario scenario;
  private final Asked asked;
  private final Side base;
  private final Side candidate;

  /**
   * One of the two.
   *
   * @param bench where its runs are played
   * @param words what it is
   */
  public record Side(TestBed bench, String words) {}

  /**
   * What the user asks beside the scenario.
   *
   * @param repeats the most pairs to play
   * @param budget time for all runs
   * @param seed of the experiment
   * @param margins what a candidate may be worse by
   * @param noise of this installation, if it was measured
   * @param baseline runs of the base that were measured before; empty plays the base, too
   * @param purpose what is wanted
   */
  public record Asked(
      int repeats,
      Budget budget,
      long seed,
      NonInferiorityMargins margins,
      Optional<BaselineVariance> noise,
      Optional<Baseline> baseline,
      Purpose purpose) {}

  /**
   * An experiment that has not begun.
   *
   * @throws IllegalArgumentException if it cannot be done
   */
  public RegressExperiment(Scenario scenario, Asked asked, Side base, Side candidate) {
    this.scenario = scenario;
    this.asked = asked;
    this.base = base;
    this.candidate = candidate;
    if (asked.repeats() < RegressionJudge.FEWEST) {
      throw new IllegalArgumentException(
          "--repeats must be at least " + RegressionJudge.FEWEST + ", was " + asked.repeats());
    }
    requireBudget();
  }

  private void requireBudget() {
    int fewest = RegressionJudge.FEWEST;
    double least = shortest() * fewest * (playsPairs() ? 2 : 1);
    if (least > asked.budget().orInfinite()) {
      throw new IllegalArgumentException(
          Formatted.of(
              "the budget is too small: %d %s need at least %.0f s; give a larger --budget or a"
                  + " scenario with a shorter duration",
              fewest, playsPairs() ? "pairs" : "runs", Math.ceil(least)));
    }
  }

  /** Or one side alone. */
  private boolean playsPairs() {
    return asked.baseline().isEmpty() && asked.purpose() != Purpose.BASELINE;
  }

  /** What a run takes at least. */
  private double shortest() {
    return base.bench().shortestSeconds(scenario);
  }

  @Override
  public JournalIdentity<PlayedRun> identity() throws IOException {
    return new JournalIdentity<>(NAME, scenario.name(), fingerprint(), PlayedRun.class);
  }

  /** All that a decision depends on but the budget, and how many pairs it may take. */
  private Fingerprint fingerprint() throws IOException {
    return Fingerprint.of(Planner.plan(scenario, 0))
        .with("--seed", asked.seed())
        .with(
            "--repeats",
            asked.purpose() == Purpose.PLAY_ALL ? asked.repeats() : "more may be added")
        .with("--calibrate or --save-baseline", asked.purpose())
        .with("the base engine", base.bench().fingerprint())
        .with("the candidate engine", candidate.bench().fingerprint())
        .with("--margin", asked.margins().asJournalsKnowThem())
        .withFile("the noise file", asked.noise().orElse(null))
        .withFile("--baseline", asked.baseline().orElse(null));
  }

  @Override
  public Budget budget() {
    return asked.budget();
  }

  @Override
  public boolean isPlayedAgain(PlayedRun last, List<PlayedRun> done, Path folder) {
    return last.hasDied() || last.figures().spoiledBy().isPresent();
  }

  @Override
  public Optional<Course<PlayedRun, RegressReport>> course(List<PlayedRun> taken, Site site) {
    outlook(taken).ifPresent(site::say);
    return Optional.of(
        done -> {
          Optional<Step> due = isOver(done) ? Optional.empty() : due(done);
          return due.filter(step -> hasTime(step, done))
              .<Next<PlayedRun, RegressReport>>map(
                  step ->
                      new Next.Play<>(words(step, done), () -> play(step, site.folder())))
              .orElseGet(() -> new Next.End<>(() -> Optional.of(report(done))));
        });
  }

  /** How long the runs that are left take at most, as far as a plan or those before tell. */
  private Optional<String> outlook(List<PlayedRun> done) {
    int runs = most() - done.size();
    if (runs < 1) {
      return Optional.empty();
    }
    Plan plan = Planner.plan(scenario, 0);
    PlanTotals whole = PlanTotals.of(plan);
    boolean isKnown = whole.isBounded();
    double load = isKnown ? plan.settings().timing().durationNanos() / NANOS : 0;
    double around =
        done.isEmpty()
            ? (isKnown ? whole.durationNanos() / NANOS - load : 0) + base.bench().overheadSeconds()
            : Math.max(0, each(done) - load);
    return Optional.of(
        (asked.purpose() == Purpose.COMPARE ? "at most " : "")
            + Counted.of(runs, "run of ", "runs of ")
            + (isKnown ? LengthOfTime.words(load) : whole.requests() + " requests")
            + " with about " + LengthOfTime.words(around) + " of overhead each: "
            + (isKnown ? "about " : "more than ") + LengthOfTime.words(runs * (load + around))
            + (base.bench().isRepeatable() ? " of virtual time" : ""));
  }

  private int most() {
    return playsPairs()
        ? 2 * asked.repeats()
        : asked
            .baseline()
            .map(file -> Math.min(asked.repeats(), file.runs().size()))
            .orElse(asked.repeats());
  }

  private static double each(List<PlayedRun> done) {
    return JournalEntry.elapsedSeconds(done) / done.size();
  }

  private Optional<Step> due(List<PlayedRun> done) {
    if (asked.baseline().isPresent()) {
      return RunOrder.nextOfCandidate(done.size(), asked.baseline().get().runs(), asked.repeats());
    }
    return asked.purpose() == Purpose.BASELINE
        ? RunOrder.nextOfBase(done, asked.repeats(), asked.seed())
        : RunOrder.next(
            new PairedDesign(done, asked.baseline()), asked.repeats(), asked.seed());
  }

  /** Whether more runs would change nothing: there is a look after every pair. */
  private boolean isOver(List<PlayedRun> done) {
    if (done.isEmpty() || isOfAnotherKind(done) || done.getLast().hasDied()) {
      return !done.isEmpty();
    }
    PairedDesign played = new PairedDesign(done, asked.baseline());
    return asked.purpose() == Purpose.COMPARE && played.isEnough()
        && judged(played, done).isSettled();
  }

  private Regression judged(PairedDesign played, List<PlayedRun> done) {
    RegressionJudge.Runs runs = played.runs();
    return RegressionJudge.judge(runs, asked.margins(), noise(runs))
        .unless(new SettingsOfSides(done).faults());
  }

  private Optional<BaselineVariance> noise(RegressionJudge.Runs runs) {
    return asked.noise().filter(one -> isOfThese(one, runs.base()));
  }

  /** A baseline of another load or machine is refused after one run, not after all. */
  private boolean isOfAnotherKind(List<PlayedRun> done) {
    return asked.baseline().isPresent() && done.size() == 1
        && !Comparability.apart(
                List.of(asked.baseline().get().runs().getFirst()),
                List.of(done.getFirst().figures()))
            .isEmpty();
  }

  /** A pair is begun only if both of its runs fit. */
  private boolean hasTime(Step next, List<PlayedRun> done) {
    boolean isSecond =
        !playsPairs() || !done.isEmpty() && done.getLast().step().pair() == next.pair();
    double each =
        done.stream().mapToDouble(PlayedRun::elapsedSeconds).max().orElse(shortest());
    int runs = isSecond ? 1 : 2;
    return JournalEntry.elapsedSeconds(done) + runs * each <= asked.budget().orInfinite();
  }

  private String words(Step step, List<PlayedRun> done) {
    boolean isAlone = asked.purpose() == Purpose.BASELINE;
    String again =
        step.pair() > asked.repeats()
            ? " (a " + (isAlone ? "run" : "pair") + " had a late client: one more)"
            : "";
    int runs = Math.max(most(), step.number() + (playsPairs() ? step.number() % 2 : 0));
    boolean mayEnd = asked.purpose() == Purpose.COMPARE;
    String left =
        done.isEmpty()
            ? ""
            : ", " + (mayEnd ? "at most " : "about ")
                + LengthOfTime.words((runs - done.size()) * each(done)) + " left";
    return "run " + step.number() + " of " + (mayEnd ? "at most " : "") + runs + "  pair "
        + step.pair() + " " + step.role().name().toLowerCase(Locale.ROOT) + again + left;
  }

  @Override
  public String line(List<PlayedRun> done) {
    if (done.getLast().hasDied()) {
      return "         died: " + done.getLast().died();
    }
    ComparedRun figures = done.getLast().figures();
    if (!figures.doubts().isEmpty()) {
      return "         doubtful: " + figures.doubts().getFirst().text();
    }
    List<String> words = new ArrayList<>();
    for (ComparedMetric metric : List.of(ComparedMetric.TTFT_P95, ComparedMetric.TPOT_MEAN)) {
      if (figures.metrics().containsKey(metric)) {
        words.add(
            metric.words() + " " + JointObjective.duration(figures.metrics().get(metric)));
      }
    }
    return "         " + String.join(", ", words);
  }

  private Optional<PlayedRun> play(Step step, Path folder)
      throws IOException, InterruptedException {
    Side side = step.role() == Role.CANDIDATE ? candidate : base;
    RunPlayer player = new RunPlayer(side.bench(), folder.resolve("runs"));
    String name =
        Formatted.of("run-%02d-%s", step.number(), step.role().name().toLowerCase(Locale.ROOT));
    try {
      return player.read(
          Planner.plan(scenario, step.seed()), name,
          played ->
              FiguresReading.analyze(played.record())
                  .as(
                      figures ->
                          new PlayedRun(
                              step, played.elapsedSeconds(), figures, side.bench().settings(),
                              "")));
    } catch (EngineFailure e) {
      if (step.role() != Role.CANDIDATE) {
        throw e;
      }
      boolean isResult =
          asked.purpose() == Purpose.COMPARE
              && (e.moment() == EngineFailure.Moment.RUN || step.pair() > 1);
      if (!isResult) {
        throw e.ofCandidate();
      }
      return Optional.of(
          new PlayedRun(step, shortest(), null, side.bench().settings(), e.getMessage()));
    }
  }

  private RegressReport report(List<PlayedRun> done) {
    if (asked.purpose() == Purpose.BASELINE) {
      return ofBaseAlone(done);
    }
    PairedDesign played = new PairedDesign(done, asked.baseline());
    RegressionJudge.Runs runs = played.runs();
    boolean hasDied = done.getLast().hasDied();
    if (!hasDied && (runs.base().isEmpty() || runs.candidate().isEmpty())) {
      throw new IllegalArgumentException("no pair was finished in the budget");
    }
    List<String> cautions = new ArrayList<>(othersThanAsked(done));
    if (!hasDied && asked.noise().isPresent() && noise(runs).isEmpty()) {
      cautions.add("the noise file is of another machine or load, so it was not used");
    }
    if (asked.baseline().isPresent()) {
      cautions.add(RegressReport.BASE_OF_A_FILE);
    }
    return new RegressReport(
        NAME, scenario.name(),
        asked.baseline().map(Baseline::engine).orElse(base.words()), candidate.words(),
        playsPairs() ? asked.repeats() : most(),
        asked.budget().used(JournalEntry.elapsedSeconds(done)),
        each(done) * (playsPairs() ? 2 : 1),
        hasDied ? RegressionJudge.ofDead(runs) : judged(played, done),
        hasDied
            ? ""
            : noise(runs)
                .map(one -> one.pairs() + " A/A pairs of " + one.measuredUtc())
                .orElse(""),
        cautions, runs.base(), runs.candidate(), asked.purpose(),
        hasDied
            ? "died in pair " + done.getLast().step().pair() + ": " + done.getLast().died()
            : "");
  }

  /** Settings that an engine clamped or ignored: the comparison is not of what was asked. */
  private static Set<String> othersThanAsked(List<PlayedRun> done) {
    Set<String> all = new LinkedHashSet<>();
    for (PlayedRun run : done) {
      String side = run.step().role() == Role.CANDIDATE ? "candidate" : "base";
      run.engine().stream()
          .filter(EngineSetting::isOther)
          .forEach(one -> all.add("the " + side + " " + one.difference()));
    }
    return all;
  }

  private RegressReport ofBaseAlone(List<PlayedRun> done) {
    List<ComparedRun> runs = PairedDesign.ofBase(done);
    List<String> cautions =
        runs.size() == done.size()
            ? List.of()
            : List.of(
                done.size() - runs.size() + " of " + done.size()
                    + " runs left out: the client was late");
    return new RegressReport(
        NAME, scenario.name(), base.words(), "", asked.repeats(),
        asked.budget().used(JournalEntry.elapsedSeconds(done)), each(done),
        RegressionJudge.ofBaseAlone(runs), "", cautions, runs, List.of(), asked.purpose(), "");
  }

  private static boolean isOfThese(BaselineVariance noise, List<ComparedRun> runs) {
    Map<String, String> here = new TreeMap<>(runs.getFirst().likeness());
    return here.equals(new TreeMap<>(noise.likeness()));
  }

  /**
   * The runs of the base as a file to compare with later.
   *
   * @throws IOException if it cannot be written
   */
  public void saveBaseline(RegressReport report, Path file) throws IOException {
    WholeFile.write(
        file,
        Journal.text(
            new Baseline(Baseline.FORMAT, scenario.name(), report.base(), report.baseRuns())));
  }

  /**
   * What equal runs differed by, as a file that later comparisons read.
   *
   * @param nowUtc when
   * @throws IOException if it cannot be written
   */
  public void saveNoise(RegressReport report, Path file, String nowUtc) throws IOException {
    Map<ComparedMetric, Double> spread = new TreeMap<>();
    for (ComparedMetric metric : ComparedMetric.values()) {
      RegressionJudge.spread(report.pairs(), metric)
          .ifPresent(one -> spread.put(metric, one));
    }
    BaselineVariance noise =
        new BaselineVariance(
            BaselineVariance.FORMAT,
            nowUtc,
            scenario.name(),
            report.baseRuns().getFirst().likeness(),
            report.baseRuns().size(),
            spread);
    WholeFile.write(file, Journal.text(noise));
  }
}
