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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.util.CombinatoricsUtils;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.Strength;
import tallystick.analysis.result.WaitPart;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.runrecord.RunMoment;

/** Judges two sides by their runs; one run is one observation. */
public final class RegressionJudge {
  /** No verdict stands on fewer repeats. */
  public static final int FEWEST = Looks.FIRST;

  /** What a comparison takes where nothing is known of the noise. */
  public static final int USUAL_REPEATS = 5;

  /** From so many on, repeats are no way to an answer. */
  public static final int MOST_WORTH = Effect.MOST_REPEATS;

  /** A pass is looked for after every pair: five looks at this are as sure as one at 95 %. */
  static final double PASSING = 0.98;

  /** A metric that is named beside the times together is worse by itself at this level. */
  private static final double NAMED = 0.05;

  /** So many pairs that all are worse come by chance once in 32 times, of one metric. */
  private static final int ALL_WORSE = 5;

  /** With several metrics that is too often, unless they also lie so surely beyond the margin. */
  private static final double BEYOND = 0.9;

  /** Requests do not fail one by one: an overload or a lost engine takes about ten. */
  private static final double CLUMP = 10;

  /** A candidate that completes so much more than the base carries another load. */
  private static final double MORE = 0.05;

  private static final double NANOS = 1e9;

  private static final String BASE_PILES =
      "base overloaded: latency then depends on the run's length";

  private final Runs runs;
  private final List<ComparedRun> base;
  private final List<ComparedRun> candidate;
  private final NonInferiorityMargins margins;
  private final boolean isBaseOverloaded;
  private final boolean isCandidateOverloaded;
  private final Optional<BaselineVariance> noise;

  /**
   * What is judged.
   *
   * @param base runs of the base
   * @param candidate runs of the candidate
   * @param paired whether the two lists go together, run by run
   * @param candidateFirst of each pair, whether the candidate ran first; empty where nobody knows
   * @param drift by how much the last run of the base is slower than the first
   * @param leftOut pairs that could not be used
   */
  public record Runs(
      List<ComparedRun> base,
      List<ComparedRun> candidate,
      boolean paired,
      List<Boolean> candidateFirst,
      double drift,
      int leftOut) {

    /** Recorded runs: paired where both sides have the same schedules. */
    public static Runs recorded(List<ComparedRun> base, List<ComparedRun> candidate) {
      Comparator<ComparedRun> bySeed = Comparator.comparingLong(ComparedRun::seed);
      List<ComparedRun> here = base.stream().sorted(bySeed).toList();
      List<ComparedRun> there = candidate.stream().sorted(bySeed).toList();
      List<Long> seeds = here.stream().map(ComparedRun::seed).toList();
      Set<Long> different = new HashSet<>(seeds);
      boolean isPaired =
          different.size() == seeds.size()
              && seeds.equals(there.stream().map(ComparedRun::seed).toList());
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

    private static boolean isBefore(List<ComparedRun> these, List<ComparedRun> those) {
      return began(these).max(Comparator.naturalOrder()).orElse("")
              .compareTo(began(those).min(Comparator.naturalOrder()).orElse(""))
          < 0;
    }

    private static Stream<String> began(List<ComparedRun> runs) {
      return runs.stream()
          .map(run -> RunMoment.of(run.runId(), Objects.toString(run.startedUtc(), "")));
    }
  }

  private RegressionJudge(
      Runs runs, NonInferiorityMargins margins, Optional<BaselineVariance> noise) {
    this.runs = runs;
    this.base = runs.base();
    this.candidate = runs.candidate();
    this.noise = noise;
    this.isBaseOverloaded = OverloadEvidence.isOf(base);
    this.isCandidateOverloaded = OverloadEvidence.isOf(candidate);
    boolean isAtItsOwnPace =
        isBaseOverloaded || !base.isEmpty() && base.getFirst().load().closedLoop();
    NonInferiorityMargins wanted = isAtItsOwnPace ? margins.atItsOwnPace() : margins;
    this.margins =
        together().stream().allMatch(run -> run.figure(ComparedMetric.GOOD_SHARE).isEmpty())
            ? wanted.without(ComparedMetric.GOOD_SHARE)
            : wanted;
  }

  /** The verdict; neither side may be empty. */
  public static Regression judge(
      Runs runs, NonInferiorityMargins margins, Optional<BaselineVariance> noise) {
    return new RegressionJudge(runs, margins, noise).judge();
  }

  private Regression judge() {
    List<Regression.Unlike> unlike = Comparability.faults(base, candidate, runs.paired());
    boolean isEnough = Math.min(base.size(), candidate.size()) >= FEWEST;
    boolean isJudged = unlike.isEmpty() && isEnough;
    List<Judged> metrics = isJudged ? metrics() : List.of();
    Verdict verdict = unlike.isEmpty() ? overall(metrics) : Verdict.INVALID;
    return new Regression(
        verdict, strength(verdict, metrics), metrics, isJudged ? changes() : List.of(),
        Differences.between(base, candidate), unlike,
        new Regression.Design(
            base.size(), candidate.size(), runs.paired(), isJudged ? order() : 0, runs.drift(),
            runs.leftOut(), runs.candidateFirst()),
        OverloadEvidence.of(base, candidate));
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
    return allPass ? Verdict.PASSED : Verdict.TOO_CLOSE;
  }

  /** One metric that is surely worse is enough; a pass is as sure as its least sure metric. */
  private static Strength strength(Verdict verdict, List<Judged> metrics) {
    Stream<Strength> all =
        metrics.stream()
            .filter(one -> one.verdict() == verdict && (one.gates() || verdict != Verdict.PASSED))
            .map(Judged::strength);
    return switch (verdict) {
      case REGRESSED -> all.min(Comparator.naturalOrder()).orElse(Strength.TOO_CLOSE);
      case PASSED -> all.max(Comparator.naturalOrder()).orElse(Strength.TOO_CLOSE);
      case TOO_CLOSE, INVALID -> Strength.TOO_CLOSE;
    };
  }

  /**
   * Two questions share what a look may cost: whether the times together are worse, each counted
   * in its own margin, which costs nothing for every further metric however they go together; and
   * whether any single one is.
   */
  private List<Judged> metrics() {
    List<ComparedMetric> known =
        margins.byMetric().keySet().stream().filter(metric -> whyNot(metric).isEmpty()).toList();
    List<ComparedMetric> times = known.stream().filter(ComparedMetric::isOfSpeed).toList();
    double together = times.isEmpty() ? 1 : effect(run -> inMargins(run, times)).worseByChance();
    List<Judged> all = new ArrayList<>();
    margins.byMetric().forEach(
        (metric, margin) -> {
          if (!known.contains(metric)) {
            boolean gates = !isOverloadedTime(metric);
            all.add(unknown(metric, margin, gates, whyNot(metric)));
            return;
          }
          Effect effect = effect(metric);
          double alone = effect.worseByChance();
          long claims = known.stream().filter(one -> one.isOfSpeed() == metric.isOfSpeed()).count();
          double chance = Math.min(1, claims * alone);
          if (times.contains(metric) && alone <= NAMED) {
            chance = Math.min(chance, together);
          }
          if (metric.isShare() && isApart(metric)) {
            chance = Math.min(chance, apartByChance());
          }
          all.add(judged(metric, margin, effect, chance));
        });
    return all;
  }

  private double inMargins(ComparedRun run, List<ComparedMetric> times) {
    return times.stream()
        .mapToDouble(
            one -> log(run, one) / Math.log(1 + margins.byMetric().get(one)) / times.size())
        .sum();
  }

  /** Whether every run of the candidate has less of it than every run of the base. */
  private boolean isApart(ComparedMetric metric) {
    double least =
        base.stream().mapToDouble(run -> run.figure(metric).orElseThrow()).min().orElseThrow();
    return candidate.stream().allMatch(run -> run.figure(metric).orElseThrow() < least);
  }

  /** So seldom chance deals all of the worst runs to one of two equal sides. */
  private double apartByChance() {
    return 1
        / CombinatoricsUtils.binomialCoefficientDouble(
            base.size() + candidate.size(), candidate.size());
  }

  private static boolean isOfGood(ComparedMetric metric) {
    return metric == ComparedMetric.GOODPUT || metric == ComparedMetric.GOOD_SHARE;
  }

  private boolean isOverloadedTime(ComparedMetric metric) {
    return isBaseOverloaded && (metric.isTime() || metric == ComparedMetric.GOODPUT);
  }

  private String whyNot(ComparedMetric metric) {
    if (isOfGood(metric) && limits().size() > 1) {
      return "the runs call other requests good: " + String.join(" or ", limits());
    }
    if (isOverloadedTime(metric)) {
      return BASE_PILES;
    }
    for (ComparedRun run : together()) {
      if (run.figure(metric).isEmpty()) {
        return run.missing().getOrDefault(metric, "not recorded") + " in run " + run.runId();
      }
    }
    return "";
  }

  private Set<String> limits() {
    return together().stream()
        .map(run -> run.settings().get(ComparedRun.LIMITS))
        .filter(Objects::nonNull)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<ComparedRun> together() {
    List<ComparedRun> all = new ArrayList<>(base);
    all.addAll(candidate);
    return all;
  }

  private static Judged unknown(
      ComparedMetric metric, double margin, boolean gates, String remark) {
    return new Judged(
        metric, Verdict.TOO_CLOSE, Strength.TOO_CLOSE, margin, 0, 0,
        new Regression.Effects(0, 0, 0), 1, 0, 0, 0, -1, gates, remark);
  }

  private Judged judged(ComparedMetric metric, double margin, Effect effect, double chance) {
    double allowed = metric.isShare() ? margin : Math.log(1 + margin);
    double within = effect.below(allowed);
    boolean isBeyond = effect.mean() >= allowed;
    boolean isSurelyWorse = isBeyond && chance <= Looks.level(effect.repeats());
    boolean isLikelyWorse =
        chance <= NAMED && 1 - within >= Strength.LIKELY_FROM
            || effect.isWorseInAll(ALL_WORSE) && 1 - within >= BEYOND;
    boolean isUnderLess =
        (isSurelyWorse || isLikelyWorse) && metric.isOfSpeed() && hasBaseCarriedLess();
    Verdict verdict =
        isUnderLess
            ? Verdict.TOO_CLOSE
            : isSurelyWorse || isLikelyWorse
            ? Verdict.REGRESSED
            : within >= Strength.LIKELY_FROM ? Verdict.PASSED : Verdict.TOO_CLOSE;
    Strength strength =
        switch (verdict) {
          case REGRESSED -> isSurelyWorse ? Strength.SURE : Strength.LIKELY;
          case PASSED -> within >= PASSING ? Strength.SURE : Strength.LIKELY;
          case TOO_CLOSE, INVALID -> Strength.TOO_CLOSE;
        };
    double known = noise.map(one -> one.of(metric)).orElse(-1.0);
    boolean isBlind =
        known >= 0 && share(BaselineVariance.couldSee(known, base.size())) > margin;
    double half = effect.halfWidth();
    return new Judged(
        metric, verdict, strength, margin, middle(base, metric), middle(candidate, metric),
        new Regression.Effects(
            told(metric, effect.mean()), told(metric, effect.mean() - half),
            told(metric, effect.mean() + half)),
        chance, effect.worse(), told(metric, effect.couldSee()),
        strength == Strength.SURE || isUnderLess ? 0 : effect.needed(allowed, PASSING),
        known, !isBlind,
        isUnderLess
            ? Judged.CARRIES_MORE
            : metric.isTime() && isCandidateOverloaded && verdict == Verdict.REGRESSED
            ? Judged.GROWS
            : isBlind && verdict == Verdict.TOO_CLOSE
            ? "equal runs differ too much here to see the margin"
            : "");
  }

  /** As it is told; no share changes by more than all of it. */
  private static double told(ComparedMetric metric, double effect) {
    return metric.isShare() ? Math.max(-1, Math.min(1, effect)) : share(effect);
  }

  /** What is slower beside a base that failed requests may be so because it carries more. */
  private boolean hasBaseCarriedLess() {
    ComparedMetric completed = ComparedMetric.COMPLETED;
    return whyNot(completed).isEmpty()
        && middle(candidate, completed) - middle(base, completed) > MORE;
  }

  static double share(double logarithm) {
    return Math.expm1(logarithm);
  }

  private static double middle(List<ComparedRun> runs, ComparedMetric metric) {
    double mean =
        runs.stream()
            .mapToDouble(run -> run.figure(metric).orElseThrow())
            .map(one -> metric.isShare() ? one : Math.log(one))
            .average()
            .orElse(Double.NaN);
    return metric.isShare() ? mean : Math.exp(mean);
  }

  /** More of it is worse. */
  private static double log(ComparedRun run, ComparedMetric metric) {
    return (metric.isBetterHigh() ? -1 : 1) * Math.log(run.metrics().get(metric));
  }

  private Effect effect(ComparedMetric metric) {
    return metric.isShare()
        ? effect(run -> -run.figure(metric).orElseThrow()).atLeast(errorOfClumps(metric))
        : effect(run -> log(run, metric));
  }

  /** Of the difference of two shares, as if both sides were one engine. */
  private double errorOfClumps(ComparedMetric metric) {
    double[] requests = {Comparability.requests(base), Comparability.requests(candidate)};
    double share =
        (middle(base, metric) * requests[0] + middle(candidate, metric) * requests[1])
            / (requests[0] + requests[1]);
    return Math.sqrt(
        Math.max(0, share * (1 - share)) * CLUMP * (1 / requests[0] + 1 / requests[1]));
  }

  private Effect effect(Function<ComparedRun, Double> of) {
    double[] here = base.stream().mapToDouble(of::apply).toArray();
    double[] there = candidate.stream().mapToDouble(of::apply).toArray();
    if (!runs.paired()) {
      return Effect.between(here, there);
    }
    double[] differences =
        IntStream.range(0, here.length).mapToDouble(i -> there[i] - here[i]).toArray();
    return Effect.paired(differences, runs.candidateFirst());
  }

  /** Whether runs of a base alone may be compared with later. */
  static Regression ofBaseAlone(List<ComparedRun> runs) {
    List<Regression.Unlike> unlike = Comparability.faults(runs, runs, false);
    return new Regression(
        unlike.isEmpty() ? Verdict.TOO_CLOSE : Verdict.INVALID, Strength.TOO_CLOSE, List.of(),
        List.of(), List.of(), unlike,
        new Regression.Design(runs.size(), 0, false, 0, 0, 0, List.of()),
        OverloadEvidence.of(runs, List.of()));
  }

  /** Of a candidate that ended in the middle: there is nothing more to judge. */
  static Regression ofDead(Runs finished) {
    int pairs = finished.base().size();
    return new Regression(
        Verdict.REGRESSED, Strength.SURE, List.of(), List.of(), List.of(), List.of(),
        new Regression.Design(
            pairs, pairs, true, 0, finished.drift(), finished.leftOut(), List.of()),
        OverloadEvidence.of(finished.base(), finished.candidate()));
  }

  /** How much pairs of runs differ: the standard deviation of the logarithm of their ratio. */
  static Optional<Double> spread(Runs runs, ComparedMetric metric) {
    RegressionJudge pairs =
        new RegressionJudge(runs, NonInferiorityMargins.usual(), Optional.empty());
    return pairs.whyNot(metric).isEmpty()
        ? Optional.of(pairs.effect(metric).error() * Math.sqrt(runs.base().size()))
        : Optional.empty();
  }

  /** Half of what the candidate is slower by where it is the second run, and not the first. */
  private double order() {
    for (ComparedMetric metric : List.of(ComparedMetric.TPOT_MEAN, ComparedMetric.E2E_MEAN)) {
      if (runs.candidateFirst().size() == base.size() && whyNot(metric).isEmpty()) {
        double[] differences = {0, 0};
        int[] counts = {0, 0};
        for (int i = 0; i < base.size(); i++) {
          int place = runs.candidateFirst().get(i) ? 0 : 1;
          counts[place]++;
          differences[place] += log(candidate.get(i), metric) - log(base.get(i), metric);
        }
        return counts[0] == 0 || counts[1] == 0
            ? 0
            : share((differences[1] / counts[1] - differences[0] / counts[0]) / 2);
      }
    }
    return 0;
  }

  private List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    change(Latency.TTFT, ComparedRun::ttft).ifPresent(changes::add);
    change(Latency.E2E, ComparedRun::e2e).ifPresent(changes::add);
    return changes;
  }

  private Optional<Change> change(
      Latency quantity, Function<ComparedRun, Map<WaitPart, Double>> of) {
    Set<WaitPart> names = of.apply(base.getFirst()).keySet();
    boolean isSame =
        together().stream().allMatch(run -> of.apply(run).keySet().equals(names));
    if (names.isEmpty() || !isSame) {
      return Optional.empty();
    }
    double whole = effect(run -> of.apply(run).get(WaitPart.WHOLE)).mean();
    List<Change.Part> parts =
        Stream.of(WaitPart.values())
            .filter(names::contains)
            .map(name -> part(name, run -> wholeNanos(of.apply(run).get(name)), whole))
            .toList();
    return Optional.of(new Change(quantity, parts.getFirst(), parts.subList(1, parts.size())));
  }

  /** Less than what clocks tell of a difference of means is what rounding left. */
  private static double wholeNanos(double seconds) {
    return Math.rint(seconds * NANOS) / NANOS;
  }

  private Change.Part part(WaitPart name, Function<ComparedRun, Double> of, double whole) {
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
