package tallystick.experiment.study;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tallystick.experiment.JournalEntry;
import tallystick.experiment.RateFormat;
import tallystick.experiment.study.StudyResult.StepReading;

/**
 * Which run a study needs next, or why it ends: a function of the finished runs alone and of what
 * they leave missing, so that a resumed study goes on as if it had never stopped.
 */
record StudySearch(StudySearch.Question question) {
  /** Two runs of each of two mixes: each can be left out, and each mix. */
  static final int LEAST_RUNS = 4;

  /** Seven of each of two mixes; from eight runs on hardly an interval narrows. */
  private static final int MOST_RUNS = 14;

  private static final int MOST_IN_ALL = 60; // An end for a search that decides nothing

  /** A share of 95 % is told to 2 points by 600 requests. */
  private static final double SCOUT_REQUESTS = 600;
  private static final int SHORTEST_SCOUT = 20; // Shorter ones end before a queue has grown

  /** A scout only brackets: a minute of a slow engine is enough. */
  private static final int LONGEST_SCOUT = 60;
  private static final double LONGEST_SECONDS = 300; // of a step; its requests fit at any rate

  /** What an engine completes under a little more than its capacity tells it in one run. */
  private static final double ABOVE_PREDICTED = 1.25;

  /**
   * What is asked.
   *
   * @param mixes names of the traffic mixes
   * @param firstPerSecond rate of the first short run
   * @param predicted mix → capacity that a profile predicts; its short runs begin a little above
   * @param mostPerSecond rate beyond which nothing is tried
   * @param budgetSeconds time for all runs; infinite where none is given
   * @param overheadSeconds what a run takes beside its load, until one has shown it
   * @param isVirtual whether an hour of health costs nothing
   * @param seed of the study
   */
  record Question(
      List<String> mixes,
      double firstPerSecond,
      Map<String, Double> predicted,
      double mostPerSecond,
      double budgetSeconds,
      double overheadSeconds,
      boolean isVirtual,
      long seed) {}

  /** What comes next. */
  sealed interface Next {
    /** A run to play. */
    record Play(StudyRun run) implements Next {}

    /** The end. */
    record Conclude(StudyEnd end) implements Next {}
  }

  /**
   * What comes after these finished runs.
   *
   * @param standings how each threshold stands after them; empty while none can be derived
   */
  Next next(List<StudyResult> done, List<ThresholdProgress> standings) {
    Next next = derived(done, standings);
    boolean isEarned =
        standings.stream().anyMatch(one -> one.state() == ThresholdProgress.State.EARNED);
    return next instanceof Next.Conclude(StudyEnd end) && isEarned && end.allowsTrials()
        ? trial(done).orElse(next)
        : next;
  }

  /** What tries the earned thresholds: health where it is free, a ramp where there is time. */
  private Optional<Next> trial(List<StudyResult> done) {
    List<StudyResult> measured = measured(done);
    String mix = question.mixes().getFirst();
    double capacity = StudyResult.completedPerSecond(measured, mix);
    double most = question.mostPerSecond() * LONGEST_SECONDS;
    if (measured.isEmpty()) {
      return Optional.empty();
    }
    int number = done.size() + 1;
    StudyRun like =
        new StudyRun(
            number, mix, measured.getFirst().run().windowSeconds(), List.of(),
            RateFormat.seed(question.seed(), number));
    Optional<StudyRun> health =
        Trials.health(like, capacity, most)
            .filter(run -> question.isVirtual() && !isTried(done, StudyStep.Kind.HEALTH));
    return health.<Next>map(Next.Play::new)
        .or(
            () ->
                Trials.ramp(like, capacity, most)
                    .filter(run -> !isTried(done, StudyStep.Kind.RAMP))
                    .map(run -> withinBudget(run, done))
                    .filter(Next.Play.class::isInstance));
  }

  private static boolean isTried(List<StudyResult> done, StudyStep.Kind kind) {
    return done.stream().anyMatch(one -> one.run().has(kind));
  }

  private Next derived(List<StudyResult> done, List<ThresholdProgress> standings) {
    Optional<StudyEnd> doubtful = doubtful(done);
    if (doubtful.isPresent()) {
      return new Next.Conclude(doubtful.get());
    }
    List<StudyResult> trusted = done.stream().filter(StudyResult::trusted).toList();
    for (String mix : question.mixes()) {
      Scouting.Answer answer = scouted(trusted, mix);
      switch (answer) {
        case Scouting.Answer.Try attempt -> {
          return withinBudget(scout(done, mix, attempt.perSecond()), done);
        }
        case Scouting.Answer.Lost lost -> {
          return new Next.Conclude(new StudyEnd.CapacityLost(mix, lost.why()));
        }
        case Scouting.Answer.Found found -> { }
      }
    }
    List<StudyResult> measured = measured(trusted);
    return isDecided(measured, standings) || done.size() >= MOST_IN_ALL
        ? new Next.Conclude(new StudyEnd.Decided())
        : withinBudget(measure(done, measured, standings), done);
  }

  /** The trusted runs that thresholds are derived from. */
  static List<StudyResult> measured(List<StudyResult> done) {
    return done.stream()
        .filter(one -> one.trusted() && !one.run().isScout() && !one.run().isTrial())
        .toList();
  }

  /** The trusted runs that try what is earned. */
  static List<StudyResult> trials(List<StudyResult> done) {
    return done.stream().filter(one -> one.trusted() && one.run().isTrial()).toList();
  }

  private static Optional<StudyEnd> doubtful(List<StudyResult> all) {
    List<StudyResult> done = all.stream().filter(one -> !one.run().isTrial()).toList();
    boolean isTwice =
        done.size() > 1 && !done.getLast().trusted() && !done.get(done.size() - 2).trusted();
    return isTwice
        ? Optional.of(new StudyEnd.Untrusted(done.getLast().doubt()))
        : Optional.empty();
  }

  private Scouting.Answer scouted(List<StudyResult> trusted, String mix) {
    List<StepReading> scouts =
        trusted.stream()
            .filter(one -> one.run().isScout() && one.run().mix().equals(mix))
            .flatMap(one -> one.readings().stream())
            .toList();
    double first =
        mix.equals(question.mixes().getFirst())
            ? question.firstPerSecond()
            : capacity(trusted, question.mixes().getFirst());
    if (question.predicted().containsKey(mix)) {
      first = Math.min(question.mostPerSecond(), ABOVE_PREDICTED * question.predicted().get(mix));
    }
    return Scouting.of(scouts, first, question.mostPerSecond());
  }

  /** The capacities that short runs found, by mix; none of a mix whose is not found. */
  Map<String, Double> found(List<StudyResult> done) {
    Map<String, Double> found = new TreeMap<>();
    for (String mix : question.mixes()) {
      if (scouted(done, mix) instanceof Scouting.Answer.Found(double perSecond)) {
        found.put(mix, perSecond);
      }
    }
    return found;
  }

  /** What the short runs of a mix found. */
  private double capacity(List<StudyResult> trusted, String mix) {
    return switch (scouted(trusted, mix)) {
      case Scouting.Answer.Found found -> found.perSecond();
      case Scouting.Answer.Try attempt -> attempt.perSecond();
      case Scouting.Answer.Lost lost -> question.firstPerSecond();
    };
  }

  private StudyRun scout(List<StudyResult> done, String mix, double perSecond) {
    double rate = RateFormat.rounded(perSecond);
    int seconds =
        (int) Math.max(SHORTEST_SCOUT, Math.min(LONGEST_SCOUT, Math.ceil(SCOUT_REQUESTS / rate)));
    int number = done.size() + 1;
    return new StudyRun(
        number, mix, seconds,
        List.of(new StudyStep(1, StudyStep.Kind.SCOUT, rate, seconds)),
        RateFormat.seed(question.seed(), number));
  }

  private boolean isDecided(List<StudyResult> measured, List<ThresholdProgress> standings) {
    boolean isOpen = standings.isEmpty() || standings.stream().anyMatch(ThresholdProgress::isOpen);
    return measured.size() >= MOST_RUNS
        || !isOpen && measured.size() - Drift.of(measured).size() >= LEAST_RUNS;
  }

  private StudyRun measure(
      List<StudyResult> done, List<StudyResult> measured, List<ThresholdProgress> standings) {
    List<StudyResult> trusted = done.stream().filter(StudyResult::trusted).toList();
    String mix =
        question.mixes().stream()
            .min(Comparator.comparingLong(name -> usable(measured, name)))
            .orElseThrow();
    int number = done.size() + 1;
    double least =
        question.mixes().stream().mapToDouble(name -> capacity(trusted, name)).min().orElseThrow();
    StepChoice choice =
        new StepChoice(
            capacity(trusted, mix),
            StepChoice.windowSeconds(least),
            measured.stream().filter(one -> one.run().mix().equals(mix)).toList(),
            standings);
    return choice.run(number, mix, RateFormat.seed(question.seed(), number));
  }

  /** Runs of a mix that met the same engine as the others: one that moved is repeated. */
  private static long usable(List<StudyResult> measured, String mix) {
    List<Drift.Moved> moved = Drift.of(measured);
    return measured.stream()
        .filter(one -> one.run().mix().equals(mix))
        .filter(one -> moved.stream().noneMatch(other -> other.number() == one.run().number()))
        .count();
  }

  private Next withinBudget(StudyRun run, List<StudyResult> done) {
    double overhead = overheadSeconds(done);
    if (done.isEmpty() && leastSeconds(overhead) > question.budgetSeconds()) {
      return new Next.Conclude(new StudyEnd.BudgetTooSmall(leastSeconds(overhead)));
    }
    double left = question.budgetSeconds() - JournalEntry.elapsedSeconds(done);
    double cost = run.loadSeconds() + overhead;
    return cost <= left
        ? new Next.Play(run)
        : new Next.Conclude(new StudyEnd.OutOfTime(cost));
  }

  private double overheadSeconds(List<StudyResult> done) {
    return done.stream()
        .filter(StudyResult::trusted)
        .mapToDouble(one -> one.elapsedSeconds() - one.run().loadSeconds())
        .max()
        .orElse(question.overheadSeconds());
  }

  /** Two short runs and one whole run for each mix. */
  private double leastSeconds(double overhead) {
    double capacity =
        question.predicted().keySet().containsAll(question.mixes())
            ? question.predicted().values().stream().min(Double::compare).orElseThrow()
            : question.firstPerSecond();
    double run = StepChoice.WINDOWS * (double) StepChoice.windowSeconds(capacity);
    return question.mixes().size() * (2 * SHORTEST_SCOUT + run + 3 * overhead);
  }
}
