package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.WaitPart;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.runrecord.RunMoment;

/** Judges two sides by their runs; one run is one observation. */
public final class RegressionJudge {
  /** No verdict stands on fewer repeats. */
  public static final int FEWEST = Effect.FEWEST_REPEATS;

  /** What a comparison takes where nothing is known of the noise. */
  public static final int USUAL_REPEATS = 5;

  /** From so many on, repeats are no way to an answer. */
  public static final int MOST_WORTH = Effect.MOST_REPEATS;

  /** How seldom equal engines may be told apart, over all metrics. */
  public static final double LEVEL = Effect.LEVEL;

  /**
   * Good requests of the base beside none of the candidate's. They come in clumps of about ten, and
   * seven clumps fall on one of two equal sides once in 128.
   */
  private static final double PLENTY = 70;

  /** A candidate that completes so much more than the base carries another load. */
  private static final double MORE = 0.05;

  private static final String PILING_UP =
      "requests pile up in the candidate's runs, so it tells how long they were";

  private final List<RunFigures> base;
  private final List<RunFigures> candidate;
  private final boolean isPaired;
  private final boolean[] candidateFirst;
  private final NonInferiorityMargins margins;
  private final Optional<BaselineVariance> noise;
  private final double drift;
  private final int leftOut;

  /**
   * What is judged.
   *
   * @param base runs of the base
   * @param candidate runs of the candidate
   * @param paired whether the two lists go together, run by run
   * @param candidateFirst of each pair, whether the candidate ran first; empty where nobody knows
   * @param drift by how much the last reference of the base is slower than the first
   * @param leftOut pairs that could not be used
   */
  public record Runs(
      List<RunFigures> base,
      List<RunFigures> candidate,
      boolean paired,
      List<Boolean> candidateFirst,
      double drift,
      int leftOut) {

    /** Recorded runs: paired where both sides have the same schedules. */
    public static Runs recorded(List<RunFigures> base, List<RunFigures> candidate) {
      Comparator<RunFigures> bySeed = Comparator.comparingLong(RunFigures::seed);
      List<RunFigures> here = base.stream().sorted(bySeed).toList();
      List<RunFigures> there = candidate.stream().sorted(bySeed).toList();
      List<Long> seeds = here.stream().map(RunFigures::seed).toList();
      Set<Long> different = new HashSet<>(seeds);
      boolean isPaired =
          different.size() == seeds.size()
              && seeds.equals(there.stream().map(RunFigures::seed).toList());
      return isPaired
          ? new Runs(here, there, true, List.of(), 0, 0)
          : new Runs(base, candidate, false, List.of(), 0, 0);
    }

    /** Whether one side was over before the other began; in virtual time no machine drifts. */
    public boolean isOneAfterTheOther() {
      boolean isVirtual =
          base.stream().allMatch(run -> "virtual".equals(run.likeness().get("engine kind")));
      return !isVirtual && (isBefore(base, candidate) || isBefore(candidate, base));
    }

    private static boolean isBefore(List<RunFigures> these, List<RunFigures> those) {
      return began(these).max(Comparator.naturalOrder()).orElse("")
              .compareTo(began(those).min(Comparator.naturalOrder()).orElse(""))
          < 0;
    }

    private static Stream<String> began(List<RunFigures> runs) {
      return runs.stream()
          .map(run -> RunMoment.of(run.runId(), Objects.toString(run.startedUtc(), "")));
    }
  }

  private RegressionJudge(
      Runs runs, NonInferiorityMargins margins, Optional<BaselineVariance> noise) {
    this.base = runs.base();
    this.candidate = runs.candidate();
    this.isPaired = runs.paired();
    this.candidateFirst = new boolean[runs.candidateFirst().size()];
    for (int i = 0; i < candidateFirst.length; i++) {
      candidateFirst[i] = runs.candidateFirst().get(i);
    }
    this.noise = noise;
    this.drift = runs.drift();
    this.leftOut = runs.leftOut();
    boolean isClosed = !base.isEmpty() && base.getFirst().load().closedLoop();
    NonInferiorityMargins wanted = isClosed ? margins.inClosedLoop() : margins;
    NonInferiorityMargins told =
        together().stream().allMatch(run -> !run.metrics().containsKey(ComparedMetric.GOODPUT))
            ? wanted.without(ComparedMetric.GOODPUT)
            : wanted;
    this.margins = isPaired || isClosed ? told : told.underOtherSchedules();
  }

  /** The verdict; neither side may be empty. */
  public static Regression judge(
      Runs runs, NonInferiorityMargins margins, Optional<BaselineVariance> noise) {
    return new RegressionJudge(runs, margins, noise).judge();
  }

  private Regression judge() {
    List<Regression.Unlike> unlike = Comparability.faults(base, candidate, isPaired);
    OverloadEvidence pileUp = OverloadEvidence.of(base, candidate);
    if (pileUp.decides()
        && unlike.stream().allMatch(one -> one.key().equals(RunFigures.OVERLOADED))) {
      return drowned(pileUp);
    }
    boolean isEnough = Math.min(base.size(), candidate.size()) >= FEWEST;
    List<Judged> metrics = unlike.isEmpty() && isEnough ? metrics() : List.of();
    Verdict verdict =
        !unlike.isEmpty() ? Verdict.INVALID : isEnough ? overall(metrics) : Verdict.NOT_PROVEN;
    return new Regression(
        verdict, metrics, unlike.isEmpty() && isEnough ? changes() : List.of(),
        Differences.between(base, candidate), unlike,
        design(unlike.isEmpty() ? order() : 0), pileUp);
  }

  /** A candidate that cannot keep up is worse without any margin; its waits tell nothing more. */
  private Regression drowned(OverloadEvidence pileUp) {
    List<Judged> metrics = new ArrayList<>();
    margins.byMetric().forEach(
        (metric, margin) -> metrics.add(unknown(metric, margin, false, PILING_UP)));
    return new Regression(
        Verdict.REGRESSED, metrics, List.of(), Differences.between(base, candidate), List.of(),
        design(0), pileUp);
  }

  private Regression.Design design(double order) {
    List<Boolean> first = new ArrayList<>();
    for (boolean isFirst : candidateFirst) {
      first.add(isFirst);
    }
    return new Regression.Design(
        base.size(), candidate.size(), isPaired, order, drift, leftOut, first);
  }

  private static Verdict overall(List<Judged> metrics) {
    if (metrics.stream().anyMatch(one -> one.verdict() == Verdict.REGRESSED)) {
      return Verdict.REGRESSED;
    }
    List<Judged> gates = metrics.stream().filter(Judged::gates).toList();
    // That nothing was lost is always seen, and tells nothing of the time that it took.
    boolean isSpeedSeen =
        metrics.stream()
            .anyMatch(one -> one.metric().isOfSpeed() && one.verdict() == Verdict.PASSED);
    boolean allPass =
        isSpeedSeen && gates.stream().allMatch(one -> one.verdict() == Verdict.PASSED);
    return allPass ? Verdict.PASSED : Verdict.NOT_PROVEN;
  }

  private List<Judged> metrics() {
    List<ComparedMetric> known =
        margins.byMetric().keySet().stream().filter(metric -> whyNot(metric).isEmpty()).toList();
    List<Effect> effects = known.stream().map(this::effect).toList();
    double[] chances =
        Holm.adjusted(effects.stream().mapToDouble(Effect::worseByChance).toArray());
    List<Judged> all = new ArrayList<>();
    margins.byMetric().forEach(
        (metric, margin) -> {
          int place = known.indexOf(metric);
          all.add(
              isLost(metric)
                  ? lost(metric, margin)
                  : place < 0
                  ? unknown(metric, margin, true, whyNot(metric))
                  : judged(metric, margin, effects.get(place), chances[place], known.size()));
        });
    return all;
  }

  /** Whether no run of the candidate has any of what the base has plenty of. */
  private boolean isLost(ComparedMetric metric) {
    if (!isOfGood(metric) && metric != ComparedMetric.COMPLETED || isOfOtherLimits(metric)) {
      return false;
    }
    ComparedMetric share = isOfGood(metric) ? ComparedMetric.GOOD_SHARE : metric;
    double good =
        base.stream()
            .mapToDouble(run -> run.load().requests() * run.metrics().getOrDefault(share, 0.0))
            .sum();
    return good >= PLENTY
        && base.stream().allMatch(run -> run.metrics().containsKey(metric))
        && candidate.stream()
            .allMatch(run -> RunFigures.ZERO.equals(run.missing().get(metric)));
  }

  private Judged lost(ComparedMetric metric, double margin) {
    double none = Double.NaN;
    return new Judged(
        metric, Verdict.REGRESSED, margin, Math.exp(log(base, metric)), 0,
        new Regression.Effects(none, none, none), 0, 0, 0, -1, true,
        "0 in every run of the candidate");
  }

  private static boolean isOfGood(ComparedMetric metric) {
    return metric == ComparedMetric.GOODPUT || metric == ComparedMetric.GOOD_SHARE;
  }

  private boolean isOfOtherLimits(ComparedMetric metric) {
    return isOfGood(metric) && limits().size() > 1;
  }

  private String whyNot(ComparedMetric metric) {
    if (isOfOtherLimits(metric)) {
      return "the runs call other requests good: " + String.join(" or ", limits());
    }
    for (RunFigures run : together()) {
      if (!run.metrics().containsKey(metric)) {
        return run.missing().getOrDefault(metric, "not recorded") + " in run " + run.runId();
      }
    }
    return "";
  }

  private Set<String> limits() {
    return together().stream()
        .map(run -> run.settings().get(RunFigures.LIMITS))
        .filter(Objects::nonNull)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<RunFigures> together() {
    List<RunFigures> all = new ArrayList<>(base);
    all.addAll(candidate);
    return all;
  }

  private static Judged unknown(
      ComparedMetric metric, double margin, boolean gates, String remark) {
    return new Judged(
        metric, Verdict.NOT_PROVEN, margin, 0, 0, new Regression.Effects(0, 0, 0), 1, 0, 0, -1,
        gates, remark);
  }

  private Judged judged(
      ComparedMetric metric, double margin, Effect effect, double chance, int metrics) {
    double allowed = Math.log(1 + margin);
    boolean isWorse = chance <= LEVEL && effect.mean() >= allowed;
    boolean isPassed = effect.upperBound() < allowed;
    boolean isUnderLess = isWorse && metric.isOfSpeed() && hasBaseCarriedLess();
    Verdict verdict =
        isUnderLess
            ? Verdict.NOT_PROVEN
            : isWorse ? Verdict.REGRESSED : isPassed ? Verdict.PASSED : Verdict.NOT_PROVEN;
    double known = noise.map(one -> one.of(metric)).orElse(-1.0);
    boolean isBlind =
        known >= 0 && share(BaselineVariance.couldSee(known, base.size())) > margin;
    double half = effect.halfWidth();
    return new Judged(
        metric, verdict, margin, Math.exp(log(base, metric)), Math.exp(log(candidate, metric)),
        new Regression.Effects(
            share(effect.mean()), share(effect.mean() - half), share(effect.mean() + half)),
        chance, share(effect.couldSee()),
        verdict == Verdict.NOT_PROVEN && !isUnderLess ? effect.needed(allowed, metrics) : 0,
        known, !isBlind,
        isUnderLess
            ? Judged.CARRIES_MORE
            : isBlind && verdict == Verdict.NOT_PROVEN
            ? "equal runs differ too much here to see the margin"
            : "");
  }

  /** What is slower beside a base that failed requests may be so because it carries more. */
  private boolean hasBaseCarriedLess() {
    ComparedMetric completed = ComparedMetric.COMPLETED;
    return whyNot(completed).isEmpty()
        && log(candidate, completed) - log(base, completed) > Math.log(1 + MORE);
  }

  static double share(double logarithm) {
    return Math.expm1(logarithm);
  }

  private static double log(List<RunFigures> runs, ComparedMetric metric) {
    return runs.stream()
        .mapToDouble(run -> Math.log(run.metrics().get(metric)))
        .average()
        .orElse(Double.NaN);
  }

  private Effect effect(ComparedMetric metric) {
    int sign = metric.isBetterHigh() ? -1 : 1;
    return effect(run -> sign * Math.log(run.metrics().get(metric)));
  }

  private Effect effect(Function<RunFigures, Double> of) {
    double[] here = base.stream().mapToDouble(of::apply).toArray();
    double[] there = candidate.stream().mapToDouble(of::apply).toArray();
    if (!isPaired) {
      return Effect.between(here, there);
    }
    double[] differences = new double[here.length];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = there[i] - here[i];
    }
    return Effect.paired(differences, candidateFirst);
  }

  /** Whether runs of a base alone may be compared with later. */
  static Regression ofBaseAlone(List<RunFigures> runs) {
    List<Regression.Unlike> unlike = Comparability.faults(runs, runs, false);
    return new Regression(
        unlike.isEmpty() ? Verdict.NOT_PROVEN : Verdict.INVALID, List.of(), List.of(), List.of(),
        unlike, new Regression.Design(runs.size(), 0, false, 0, 0, 0, List.of()),
        OverloadEvidence.of(runs, List.of()));
  }

  /** How much pairs of runs differ: the standard deviation of the logarithm of their ratio. */
  static Optional<Double> spread(Runs runs, ComparedMetric metric) {
    RegressionJudge pairs =
        new RegressionJudge(runs, NonInferiorityMargins.usual(), Optional.empty());
    return pairs.whyNot(metric).isEmpty()
        ? Optional.of(pairs.effect(metric).error() * Math.sqrt(runs.base().size()))
        : Optional.empty();
  }

  private double order() {
    for (ComparedMetric metric : List.of(ComparedMetric.TPOT_MEAN, ComparedMetric.E2E_MEAN)) {
      if (base.size() >= FEWEST && candidate.size() >= FEWEST && whyNot(metric).isEmpty()) {
        return share(effect(metric).order());
      }
    }
    return 0;
  }

  private List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    change(Latency.TTFT, RunFigures::ttft).ifPresent(changes::add);
    change(Latency.E2E, RunFigures::e2e).ifPresent(changes::add);
    return changes;
  }

  private Optional<Change> change(
      Latency quantity, Function<RunFigures, Map<WaitPart, Double>> of) {
    Set<WaitPart> names = of.apply(base.getFirst()).keySet();
    boolean isSame =
        together().stream().allMatch(run -> of.apply(run).keySet().equals(names));
    if (names.isEmpty() || !isSame) {
      return Optional.empty();
    }
    double whole = effect(run -> of.apply(run).get(WaitPart.WHOLE)).mean();
    List<Change.Part> parts = new ArrayList<>();
    for (WaitPart name : WaitPart.values()) {
      if (names.contains(name)) {
        parts.add(part(name, run -> of.apply(run).get(name), whole));
      }
    }
    return Optional.of(new Change(quantity, parts.getFirst(), parts.subList(1, parts.size())));
  }

  private Change.Part part(WaitPart name, Function<RunFigures, Double> of, double whole) {
    Effect effect = effect(of);
    double half = effect.halfWidth();
    Figure share =
        whole > 0
            ? Figure.of(effect.mean() / whole)
            : Figure.missing("the whole did not rise");
    return new Change.Part(
        name, Figure.of(base.stream().mapToDouble(of::apply).average().orElse(0)),
        Figure.of(candidate.stream().mapToDouble(of::apply).average().orElse(0)),
        Interval.of(effect.mean(), effect.mean() - half, effect.mean() + half), share,
        effect.mean() > half);
  }
}
