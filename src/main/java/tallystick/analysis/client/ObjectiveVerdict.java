package tallystick.analysis.client;

import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Strength;
import tallystick.analysis.statistics.GoodShare;
import tallystick.analysis.statistics.LongRunSide;
import tallystick.analysis.statistics.OrderStatistics;
import tallystick.analysis.statistics.Proportion;
import tallystick.analysis.statistics.SectionedPercentile;
import tallystick.scenario.Counted;
import tallystick.scenario.Formatted;
import tallystick.scenario.Objective;

/**
 * The verdict on one objective, a count, and how sure it is in the long run.
 *
 * @param brought everything the requests brought, and when
 * @param good good things
 * @param judged all judged things, above 0
 * @param requests requests they came from
 * @param limitNanos what a thing is good within
 */
record ObjectiveVerdict(
    Objective objective, ObjectiveSamples brought, long good, long judged, long requests,
    long limitNanos) {
  /** Nobody repeats a run a thousand times to settle an objective. */
  private static final double MOST_REPEATED = 1000;

  /** With fewer not even a median has an interval: that all were good says little. */
  private static final long FEWEST = OrderStatistics.neededCount(0.5, OrderStatistics.CONFIDENCE);

  /** Sure in four of five runs so long: the next one may come out .84 errors nearer the limit. */
  private static final double SURE_NEXT_TIME = 0.9935;

  /** An end so many times beyond the slowest of all is a formula's, and no finding of this run. */
  private static final double FARTHEST = 2;

  /** Things worth so many fewer independent ones suffer together. */
  private static final double TOGETHER = 1.5;

  ObjectiveResult result() {
    SectionedPercentile percentile = SectionedPercentile.of(brought.samples(), objective.share());
    GoodShare share = share(objective.share());
    LongRunSide side = new LongRunSide(share, percentile, objective.share());
    Strength strength =
        side.isKept() && isFew()
            ? Strength.TOO_CLOSE
            : Strength.of(side.probability(limitNanos));
    Verdict verdict = side.isKept() ? Verdict.MET : Verdict.MISSED;
    Proportion interval = interval(share, strength == Strength.SURE);
    return new ObjectiveResult(
        objective, good, judged, Figure.of(interval.low()), Figure.of(interval.high()), verdict,
        strength, Figure.of((double) good / judged), evidence(side, strength));
  }

  /** The good share, of as many as are worth independent things at a level. */
  private GoodShare share(double level) {
    double independent = brought.samples().fewestIndependent(level);
    return new GoodShare(
        good, judged, Math.min(judged, Math.max(1, independent * judged / brought.count())));
  }

  /**
   * The share's interval, from no more independent things than at the percentile. A sure verdict
   * says on which side of the wanted share the truth lies: the interval does not cross it.
   */
  private Proportion interval(GoodShare share, boolean isSure) {
    double worth = Math.min(share.worth(), share((double) good / judged).worth());
    Proportion free = new GoodShare(good, judged, worth).interval(Proportion.CONFIDENCE);
    double wanted = objective.share();
    if (!isSure) {
      return free;
    }
    return good >= wanted * judged - 1e-9
        ? new Proportion(Math.max(wanted, free.low()), free.high())
        : new Proportion(free.low(), Math.min(wanted, free.high()));
  }

  private ObjectiveEvidence evidence(LongRunSide side, Strength strength) {
    boolean isSure = strength == Strength.SURE;
    Interval ends = side.percentile().interval(Proportion.CONFIDENCE);
    double slowest = brought.samples().samples().atRank(brought.count()) / 1e9;
    boolean isFar = ends.high() instanceof Figure.Known end && end.value() > FARTHEST * slowest;
    ObjectiveEvidence free =
        new ObjectiveEvidence(
            percentile(), ends.low(),
            isFar ? Figure.missing("far beyond the slowest that was seen") : ends.high(),
            Figure.of(Math.round(side.share().worth())),
            isSure ? Figure.missing("it is sure") : needed(side), isSure ? "" : reason(side));
    return isSure
        ? free.sure(side.isKept() ? Verdict.MET : Verdict.MISSED, limitNanos / 1e9)
        : free;
  }

  /** Of requests, or sessions: one long answer has hundreds of gaps. */
  private boolean isFew() {
    return Math.min(judged, requests) < FEWEST;
  }

  private String reason(LongRunSide side) {
    if (isFew()) {
      return objective.judgesSessions()
          ? Counted.of(requests, "session is", "sessions are") + " too few"
          : Counted.of(requests, "request is", "requests are") + " too few";
    }
    long worth = Math.round(side.share().worth());
    return worth * TOGETHER < judged
        ? Formatted.of(
            "slow %s come in bursts: %,d count as %s",
            objective.things(), judged,
            Counted.of(worth, "independent one", "independent ones"))
        : Formatted.of("%,d %s are too few", judged, objective.things());
  }

  /** How many requests would make it sure in four of five runs, if they were like those seen. */
  private Figure needed(LongRunSide side) {
    double low = 1;
    double high = MOST_REPEATED;
    if (side.probability(limitNanos, high) < SURE_NEXT_TIME) {
      return Figure.missing("the share is too close to the wanted one");
    }
    while (high / low > 1.01) {
      double middle = Math.sqrt(low * high);
      if (side.probability(limitNanos, middle) >= SURE_NEXT_TIME) {
        high = middle;
      } else {
        low = middle;
      }
    }
    double count = Math.max(FEWEST, requests * high);
    double digit = Math.pow(10, Math.floor(Math.log10(count)) - 1);
    return Figure.of(Math.ceil(count / digit) * digit);
  }

  /**
   * The shortest duration as a limit that the wanted share keeps; a limit above what a client that
   * left had waited says nothing of its request.
   */
  private Figure percentile() {
    long rank = OrderStatistics.firstTrue(this::isKeptAt, 1, brought.count());
    long nanos = brought.samples().samples().atRank(rank);
    return nanos >= ObjectiveReading.NEVER_CAME
        ? Figure.missing(
            objective.metric() == Objective.Metric.ANSWER_TTFT
                ? "none: too many requests got no answer"
                : "none: too many " + (objective.judgesSessions() ? "sessions" : "requests")
                    + " failed")
        : Figure.of(nanos / 1e9);
  }

  private boolean isKeptAt(long rank) {
    long left = brought.leftWithin(brought.samples().samples().atRank(rank));
    return rank - left >= objective.share() * (brought.count() - left) - 1e-9;
  }
}
