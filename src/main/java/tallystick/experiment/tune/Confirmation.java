package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import tallystick.analysis.result.Strength;
import tallystick.answer.words.Numbers;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.experiment.regress.Regression;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.RegressionJudge;

/**
 * What fresh pairs say of the cell that looked best, against the current one.
 *
 * @param cell that looked best
 * @param pairs how many count
 * @param gain in goodput, as a share; with an interval of 90 %, so that a sure one contains no 0
 * @param guarded the metrics it must not be worse in
 * @param baseFails whether the current cell surely breaks the objectives: nothing is guarded then
 * @param agreeing in how many of them it gains
 * @param chance how probably it is worth changing for: it gains, holds, costs nothing
 * @param objections what speaks against it, or leaves it open
 * @param pairsNeeded in all, for more pairs to make it sure; 0 where they do not
 */
record Confirmation(
    Configuration cell,
    int pairs,
    int agreeing,
    SmallSampleStatistics.Gain gain,
    List<Judged> guarded,
    boolean baseFails,
    double chance,
    List<String> objections,
    int pairsNeeded) {
  /** More pairs than anybody plays: the forecast of them ends here. */
  private static final int MOST_PAIRS = 100;

  /** A recommendation is held back sooner than a release: doubt speaks for what runs today. */
  private static final double LIKELY_WORSE = 0.05;

  /** What is not known is as probable as not. */
  private static final double UNKNOWN = 0.5;

  /** Whether it is worth changing for, at least likely. */
  boolean isBetter() {
    return Strength.of(chance) != Strength.TOO_CLOSE;
  }

  /** How sure it is that it is worth changing for, or that it is not. */
  Strength strength() {
    return Strength.of(Math.max(chance, 1 - chance));
  }

  /**
   * Judges the pairs.
   *
   * @param pairs runs of the current cell and of this one; overload of the current one speaks for
   *     another
   * @param share of the requests that must be good
   */
  static Confirmation of(
      Configuration cell, RegressionJudge.Runs pairs, NonInferiorityMargins margins, double share) {
    List<ComparedRun> base = pairs.base();
    List<ComparedRun> candidate = pairs.candidate();
    Regression regression =
        RegressionJudge.judge(
            new RegressionJudge.Runs(
                base.stream().map(Confirmation::asBase).toList(), candidate, true,
                pairs.candidateFirst(), 0, 0),
            guards(margins), Optional.empty());
    List<Judged> guarded =
        regression.metrics().stream()
            .filter(one -> one.metric() != ComparedMetric.GOODPUT)
            .toList();
    boolean baseFails =
        TunedMetric.goodShare(base) + SloAttainment.reach(base, share, Screening.SURE) < share;
    double[] gains = gains(base, candidate);
    // Of the level from which a gain is sure: what is sure does not contain none.
    SmallSampleStatistics.Gain gain =
        SmallSampleStatistics.interval(gains, Strength.SURE_FROM);
    int agreeing = (int) Arrays.stream(gains).filter(one -> one > 0).count();
    List<Claim> claims = new ArrayList<>(ofPairs(regression));
    claims.add(gain(gains, baseFails));
    guarded.stream()
        .filter(one -> !baseFails && isLikelyWorse(one))
        .map(one ->
            new Claim(
                one.chance(),
                one.metric().words() + " " + Numbers.signedPercent(one.effect().value())))
        .forEach(claims::add);
    claims.addAll(ofRuns(base, candidate, share));
    double chance = claims.stream().mapToDouble(Claim::chance).min().orElseThrow();
    boolean isOpen = chance < Strength.SURE_FROM && 1 - chance < Strength.SURE_FROM;
    return new Confirmation(
        cell, base.size(), agreeing, gain.shares(), guarded, baseFails, chance,
        claims.stream().filter(one -> one.chance() < Strength.LIKELY_FROM).map(Claim::otherwise)
            .toList(),
        isOpen && gain.value() > 0 ? needed(gain, gains.length) : 0);
  }

  /**
   * One thing that must be so.
   *
   * @param chance how probably it is
   * @param otherwise what to say where it is not
   */
  private record Claim(double chance, String otherwise) {}

  /** What holds the objectives where the current cell breaks them gains, however much. */
  private static Claim gain(double[] gains, boolean baseFails) {
    double worth = TunedMetric.GOODPUT.tolerance();
    if (SmallSampleStatistics.mean(gains) < worth) {
      return new Claim(
          SmallSampleStatistics.chanceAbove(gains, worth),
          "the gain is below " + Numbers.percent(TunedMetric.WORTH) + " in fresh pairs");
    }
    boolean doAllAgree = Arrays.stream(gains).allMatch(one -> one > 0);
    double least = baseFails ? 1 : doAllAgree ? Strength.LIKELY_FROM : 0;
    return new Claim(
        Math.max(least, SmallSampleStatistics.chanceAbove(gains, 0)),
        "that does not prove a gain");
  }

  /** Whether a guarded metric seems to be worse by more than its margin. */
  static boolean isLikelyWorse(Judged one) {
    return one.effect().value() >= one.margin() && one.chance() <= LIKELY_WORSE;
  }

  private static List<Claim> ofPairs(Regression regression) {
    List<Claim> claims = new ArrayList<>();
    regression.unlike().forEach(
        unlike ->
            claims.add(new Claim(UNKNOWN, "the pairs cannot be compared: " + unlike.text())));
    if (regression.isDrowned()) {
      claims.add(
          new Claim(
              LIKELY_WORSE,
              "requests pile up in " + regression.pileUp().candidate() + " of "
                  + regression.design().candidate() + " of its runs"));
    }
    return claims;
  }

  private static double[] gains(List<ComparedRun> base, List<ComparedRun> candidate) {
    return IntStream.range(0, base.size())
        .mapToDouble(
            i -> TunedMetric.GOODPUT.cost(base.get(i)) - TunedMetric.GOODPUT.cost(candidate.get(i)))
        .toArray();
  }

  private static List<Claim> ofRuns(
      List<ComparedRun> base, List<ComparedRun> candidate, double share) {
    List<Claim> claims = new ArrayList<>();
    claims.add(
        new Claim(
            SloAttainment.chance(candidate, share),
            "it is not sure to hold the objectives: "
                + Numbers.percent(TunedMetric.goodShare(candidate)) + " good of "
                + SloAttainment.requests(candidate) + " fresh requests"));
    double[] preempted =
        IntStream.range(0, base.size())
            .mapToDouble(
                i ->
                    TunedMetric.PREEMPTIONS.cost(candidate.get(i))
                        - TunedMetric.PREEMPTIONS.cost(base.get(i)))
            .toArray();
    double more = SmallSampleStatistics.chanceAbove(preempted, TunedMetric.PREEMPTED);
    // An engine that does not count preemptions is asked nothing.
    if (!Double.isNaN(more)) {
      claims.add(new Claim(1 - more, "more requests may be preempted"));
    }
    return claims;
  }

  private static NonInferiorityMargins guards(NonInferiorityMargins margins) {
    Map<ComparedMetric, Double> guards = new TreeMap<>(margins.byMetric());
    guards.keySet().retainAll(Set.of(ComparedMetric.TTFT_P95, ComparedMetric.ITL_P99));
    return new NonInferiorityMargins(guards);
  }

  private static int needed(SmallSampleStatistics.Gain gain, int pairs) {
    double times = (gain.value() - gain.low()) / gain.value();
    return (int) Math.min(MOST_PAIRS, Math.max(pairs + 1, Math.ceil(pairs * times * times)));
  }

  /** The same run with a goodput that has a ratio to others, without the doubt of overload. */
  private static ComparedRun asBase(ComparedRun run) {
    return new ComparedRun(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), run.metrics(), run.missing(),
        run.ttft(), run.e2e(), run.load(), run.likeness(), run.settings(), run.engine(),
        run.doubts().stream()
            .filter(doubt -> !doubt.key().equals(ComparedRun.OVERLOADED))
            .toList());
  }
}
