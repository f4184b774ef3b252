package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import tallystick.answer.words.Numbers;
import tallystick.experiment.JointObjective;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.experiment.regress.Regression;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.RegressionJudge;
import tallystick.experiment.regress.RunFigures;

/**
 * What fresh pairs say of the cell that looked best, against the current one.
 *
 * @param cell that looked best
 * @param pairs how many count
 * @param gain in goodput, as a share
 * @param guarded the metrics it must not be worse in
 * @param baseFails whether the current cell surely breaks the objectives: nothing is guarded then
 * @param objections why it is not recommended; empty where it is
 * @param pairsNeeded in all, where more pairs may decide; 0 where they do not
 */
record Confirmation(
    Configuration cell,
    int pairs,
    SmallSampleStatistics.Gain gain,
    List<Judged> guarded,
    boolean baseFails,
    List<String> objections,
    int pairsNeeded) {
  /** More pairs than anybody plays: the forecast of them ends here. */
  private static final int MOST_PAIRS = 100;

  /** A recommendation is held back sooner than a release: doubt speaks for what runs today. */
  private static final double LIKELY_WORSE = 0.05;

  Confirmation {
    guarded = List.copyOf(guarded);
    objections = List.copyOf(objections);
  }

  boolean isEarned() {
    return objections.isEmpty();
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
    List<RunFigures> base = pairs.base();
    List<RunFigures> candidate = pairs.candidate();
    Regression regression =
        RegressionJudge.judge(
            new RegressionJudge.Runs(
                base.stream().map(Confirmation::asBase).toList(), candidate, true,
                pairs.candidateFirst(), 0, 0),
            guards(margins), Optional.empty());
    List<String> objections = objectionsOfPairs(regression);
    double[] gains = gains(base, candidate);
    SmallSampleStatistics.Gain gain = SmallSampleStatistics.interval(gains);
    boolean baseFails =
        goodShare(base) + SloAttainment.reach(base, share, Screening.SURE) < share;
    // What holds the objectives where the current cell breaks them gains, however much.
    boolean isGained =
        gain.value() >= TunedMetric.GOODPUT.tolerance() && (gain.low() > 0 || baseFails);
    if (!isGained) {
      objections.add(
          gain.value() < TunedMetric.GOODPUT.tolerance()
              ? "the gain is below " + JointObjective.percent(TunedMetric.WORTH) + " in fresh pairs"
              : "the gain may be none");
    }
    List<Judged> guarded =
        regression.metrics().stream()
            .filter(one -> one.metric() != ComparedMetric.GOODPUT)
            .toList();
    guarded.stream()
        .filter(one -> !baseFails && isLikelyWorse(one))
        .forEach(
            one ->
                objections.add(
                    one.metric().words() + " " + Numbers.signedPercent(one.effect().value())));
    objections.addAll(objectionsOfRuns(base, candidate, share));
    boolean isOpen = !isGained && gain.value() > 0 && gain.low() <= 0;
    return new Confirmation(
        cell, base.size(), gain.shares(), guarded, baseFails, objections,
        isOpen ? needed(gain, gains.length) : 0);
  }

  /** Whether a guarded metric seems to be worse by more than its margin. */
  static boolean isLikelyWorse(Judged one) {
    return one.effect().value() >= one.margin() && one.chance() <= LIKELY_WORSE;
  }

  private static List<String> objectionsOfPairs(Regression regression) {
    List<String> objections = new ArrayList<>();
    regression.unlike().forEach(
        unlike -> objections.add("the pairs cannot be compared: " + unlike.text()));
    if (regression.isDrowned()) {
      objections.add(
          "requests pile up in " + regression.pileUp().candidate() + " of "
              + regression.design().candidate() + " of its runs");
    }
    return objections;
  }

  private static double[] gains(List<RunFigures> base, List<RunFigures> candidate) {
    return IntStream.range(0, base.size())
        .mapToDouble(
            i -> TunedMetric.GOODPUT.cost(base.get(i)) - TunedMetric.GOODPUT.cost(candidate.get(i)))
        .toArray();
  }

  private static List<String> objectionsOfRuns(
      List<RunFigures> base, List<RunFigures> candidate, double share) {
    List<String> objections = new ArrayList<>();
    double low = goodShare(candidate) - SloAttainment.reach(candidate, share, Screening.SURE);
    if (!(low >= share)) {
      objections.add(
          "it is not sure to hold the objectives: " + JointObjective.percent(goodShare(candidate))
              + " good of " + SloAttainment.requests(candidate) + " fresh requests");
    }
    double[] preempted =
        IntStream.range(0, base.size())
            .mapToDouble(
                i ->
                    TunedMetric.PREEMPTIONS.cost(candidate.get(i))
                        - TunedMetric.PREEMPTIONS.cost(base.get(i)))
            .toArray();
    // An engine that does not count preemptions is asked nothing.
    if (SmallSampleStatistics.mean(preempted)
            + SmallSampleStatistics.reach(preempted, Screening.SURE)
        > TunedMetric.PREEMPTED) {
      objections.add("more requests may be preempted");
    }
    return objections;
  }

  private static double goodShare(List<RunFigures> runs) {
    return runs.stream().mapToDouble(TunedMetric::goodShare).average().orElse(Double.NaN);
  }

  private static NonInferiorityMargins guards(NonInferiorityMargins margins) {
    Map<ComparedMetric, Double> guards = new EnumMap<>(ComparedMetric.class);
    for (ComparedMetric metric : List.of(ComparedMetric.TTFT_P95, ComparedMetric.ITL_P99)) {
      if (margins.byMetric().containsKey(metric)) {
        guards.put(metric, margins.byMetric().get(metric));
      }
    }
    return new NonInferiorityMargins(guards);
  }

  private static int needed(SmallSampleStatistics.Gain gain, int pairs) {
    double times = (gain.value() - gain.low()) / gain.value();
    return (int) Math.min(MOST_PAIRS, Math.max(pairs + 1, Math.ceil(pairs * times * times)));
  }

  /** The same run with a goodput that has a ratio to others, without the doubt of overload. */
  private static RunFigures asBase(RunFigures run) {
    return new RunFigures(
        run.runId(), run.scenario(), run.startedUtc(), run.seed(), run.metrics(), run.missing(),
        run.ttft(), run.e2e(), run.load(), run.likeness(), run.settings(), run.engine(),
        run.doubts().stream()
            .filter(doubt -> !doubt.key().equals(RunFigures.OVERLOADED))
            .toList());
  }
}
