package tallystick.analysis.client;

import java.util.Locale;
import java.util.function.Predicate;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.ObjectiveResult.Verdict;
import tallystick.analysis.statistics.GoodShare;
import tallystick.analysis.statistics.OrderStatistics;
import tallystick.analysis.statistics.Proportion;
import tallystick.analysis.statistics.UnitHistogram;
import tallystick.scenario.Objective;

/**
 * The verdict on one objective from its counts and what they are worth.
 *
 * @param brought everything the requests brought, and when
 * @param good good things
 * @param judged all judged things, above 0
 * @param requests requests they came from
 */
record ObjectiveVerdict(
    Objective objective, ObjectiveSamples brought, long good, long judged, long requests) {
  private static final double TAIL = (1 - Proportion.CONFIDENCE) / 2;
  private static final int TENTHS = 10;
  private static final Figure BEYOND_ALL = Figure.missing("beyond every answer");

  /** A run near the knee may miss its bursts: a limit must lie so much further than that. */
  private static final double MARGIN = 3;

  /** Runs like the one seen bring other counts: four of five are no further off than this. */
  private static final double FOUR_OF_FIVE = 0.8416;

  /** Nobody repeats a run a thousand times to settle an objective. */
  private static final double MOST_REPEATED = 1000;

  ObjectiveResult result() {
    Figure independent = brought.samples().independent(objective.share());
    if (!(independent instanceof Figure.Known known)) {
      return ofDependent(independent);
    }
    GoodShare share = new GoodShare(good, judged, known.value() * judged / brought.count());
    Verdict verdict = verdict(share);
    boolean isOpen = verdict == Verdict.NOT_PROVEN;
    Figure needed = isOpen ? needed(share) : Figure.missing("the verdict is proven");
    String why = "";
    if (isOpen) {
      why =
          String.format(
              Locale.ROOT, "%,d %s are worth %,d independent ones", judged, things(),
              Math.round(share.worth()));
    }
    return result(verdict, interval(share, verdict), evidence(independent, needed, why));
  }

  private Verdict verdict(GoodShare share) {
    if (share.reaches(objective.share(), TAIL) || isFarBeyondAll(share)) {
      return Verdict.MET;
    }
    return share.misses(objective.share(), TAIL)
        ? Verdict.VIOLATED
        : Verdict.NOT_PROVEN;
  }

  /**
   * Whether enough requests came and none of them came near the limit. What the longest answer
   * alone proves counts independent things; how far the limit lies beyond it is evidence, too.
   */
  private boolean isFarBeyondAll(GoodShare share) {
    long longest = brought.samples().samples().atRank(brought.count());
    double times = share.timesTheLongest(objective.share(), TAIL);
    return good == judged
        && limitNanos() >= MARGIN * longest * times
        && new GoodShare(requests, requests, requests).reaches(objective.share(), TAIL);
  }

  /**
   * Where stretches of time follow one another, no count of independent things stands for the run.
   * A verdict then needs that every tenth of the run agrees, and enough things for it.
   */
  private ObjectiveResult ofDependent(Figure why) {
    int kept = tenthsThatKeepIt();
    Verdict verdict = Verdict.NOT_PROVEN;
    if (kept == 0) {
      verdict = Verdict.VIOLATED;
    } else if (kept == TENTHS && isProvenByTheFewest()) {
      verdict = Verdict.MET;
    }
    boolean isOpen = verdict == Verdict.NOT_PROVEN;
    String reason = isOpen ? ((Figure.Unavailable) why).reason() : "";
    return result(verdict, new FigurePair(why, why), evidence(why, why, reason));
  }

  private boolean isProvenByTheFewest() {
    double fewest = brought.samples().fewestIndependent(objective.share());
    GoodShare share = new GoodShare(good, judged, fewest * judged / brought.count());
    return share.reaches(objective.share(), TAIL) || isFarBeyondAll(share);
  }

  private int tenthsThatKeepIt() {
    UnitHistogram units = brought.samples().units();
    long[] all = new long[TENTHS];
    long[] bad = new long[TENTHS];
    for (int unit = 0; unit < units.units(); unit++) {
      int tenth = unit * TENTHS / units.units();
      all[tenth] += units.count(unit);
      bad[tenth] += units.countAbove(unit, limitNanos());
    }
    int kept = 0;
    for (int i = 0; i < TENTHS; i++) {
      kept += bad[i] > (1 - objective.share()) * all[i] ? 0 : 1;
    }
    return kept;
  }

  /** Two ends that are known or missing. */
  private record FigurePair(Figure low, Figure high) {}

  /**
   * The share's interval, from no more independent things than at the percentile. A verdict proves
   * on which side of the wanted share the truth lies: the interval does not cross it.
   */
  private FigurePair interval(GoodShare share, Verdict verdict) {
    Figure there = brought.samples().independent((double) good / judged);
    if (!(there instanceof Figure.Known known)) {
      return new FigurePair(there, there);
    }
    double worth = Math.min(share.worth(), known.value() * judged / brought.count());
    Proportion interval =
        new GoodShare(good, judged, worth).interval(Proportion.CONFIDENCE);
    double wanted = objective.share();
    boolean isMet = verdict == Verdict.MET;
    boolean isViolated = verdict == Verdict.VIOLATED;
    return new FigurePair(
        Figure.of(isMet ? Math.max(wanted, interval.low()) : interval.low()),
        Figure.of(isViolated ? Math.min(wanted, interval.high()) : interval.high()));
  }

  /** About how many requests settle it in four of five runs if they are like those seen. */
  private Figure needed(GoodShare share) {
    double low = 1;
    double high = MOST_REPEATED;
    if (!isSettledBy(high, share)) {
      return Figure.missing("the share is too close to the wanted one");
    }
    while (high / low > 1.01) {
      double middle = Math.sqrt(low * high);
      if (isSettledBy(middle, share)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    double count = requests * high;
    double digit = Math.pow(10, Math.floor(Math.log10(count)) - 1);
    return Figure.of(Math.ceil(count / digit) * digit);
  }

  private boolean isSettledBy(double times, GoodShare share) {
    double worth = share.worth() * times;
    double seen = (double) good / judged;
    double scatter = FOUR_OF_FIVE * Math.sqrt(seen * (1 - seen) / worth);
    double unlucky = seen - Math.copySign(scatter, seen - objective.share());
    GoodShare more =
        new GoodShare(Math.max(0, Math.min(1, unlucky)) * judged, judged, worth);
    return verdict(more) != Verdict.NOT_PROVEN;
  }

  private ObjectiveEvidence evidence(Figure independent, Figure needed, String reason) {
    double level = objective.share();
    Figure value = atFirst(share -> share.good() >= level * share.judged() - 1e-9, 1);
    if (!(independent instanceof Figure.Known known)) {
      return new ObjectiveEvidence(value, independent, independent, independent, needed, reason);
    }
    double each = known.value() / brought.count();
    boolean hasLow = at(0, each).misses(level, TAIL);
    Figure none =
        Figure.missing(
            String.format(
                Locale.ROOT, "n=%d %s worth %d independent, need %d", brought.count(), things(),
                (long) known.value(),
                OrderStatistics.neededCount(level, Proportion.CONFIDENCE)));
    Figure low = hasLow ? atFirst(share -> !share.misses(level, TAIL), each) : none;
    Figure high = atFirst(share -> share.reaches(level, TAIL), each);
    return new ObjectiveEvidence(
        value, low, high.equals(BEYOND_ALL) ? none : high, independent, needed, reason);
  }

  /** The shortest duration as a limit with which a share has become what is asked of it. */
  private Figure atFirst(Predicate<GoodShare> holds, double each) {
    long low = 1;
    long high = brought.count();
    if (!holds.test(at(high, each))) {
      return BEYOND_ALL;
    }
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (holds.test(at(middle, each))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return duration(brought.samples().samples().atRank(low));
  }

  /** The share within the duration of a rank as the limit, each thing worth so many. */
  private GoodShare at(long rank, double each) {
    long left = rank == 0 ? 0 : brought.leftWithin(brought.samples().samples().atRank(rank));
    long all = Math.max(1, brought.count() - left);
    return new GoodShare(rank - left, all, all * each);
  }

  private static Figure duration(long nanos) {
    return nanos >= ObjectiveReading.NEVER_CAME
        ? Figure.missing("never: failed requests reach it")
        : Figure.of(nanos / 1e9);
  }

  private ObjectiveResult result(
      Verdict verdict, FigurePair interval, ObjectiveEvidence evidence) {
    return new ObjectiveResult(
        objective,
        good,
        judged,
        interval.low(),
        interval.high(),
        verdict,
        Figure.of((double) good / judged),
        evidence);
  }

  private long limitNanos() {
    return (long) (objective.thresholdSeconds() * 1e9);
  }

  private String things() {
    return objective.metric() == Objective.Metric.ITL ? "gaps" : "requests";
  }
}
