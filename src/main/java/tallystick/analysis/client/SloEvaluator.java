package tallystick.analysis.client;

import java.util.Optional;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Judgement;
import tallystick.analysis.result.ObjectiveEvidence;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Strength;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.PlanTable;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Objective;
import tallystick.scenario.Objective.Metric;

/**
 * Judges one objective over the measured requests, or their sessions. "A share of 95 % within 1 s"
 * is the question whether P95 is at most 1 s: met if the upper end of that percentile's interval is
 * within the limit, violated if its lower end is beyond it, else not proven. So a looser limit is
 * never judged worse.
 */
final class SloEvaluator {
  private final Objective objective;
  private final ObjectiveSamples samples;
  private final ObjectiveReading fromIntended;
  private final ObjectiveReading fromSent;
  private final boolean isOfEveryGap;
  private final Counts intended = new Counts();
  private final Counts sent = new Counts();
  private long requests;
  private int fewestGaps = Integer.MAX_VALUE;
  private boolean hasAnswer;
  private boolean unstreamed;

  private static final class Counts {
    private long good;
    private long judged;

    private void take(boolean isGood) {
      good += isGood ? 1 : 0;
      judged++;
    }

    /** The same for each gap of an answer, of which a run has a hundred times as many. */
    private void takeGaps(ObjectiveReading reading, RequestRow row, int choices) {
      if (choices == 1 && row.chunks().size() > 1) {
        good += reading.gapsWithin(row.chunks().arrivalNanos());
        judged += row.chunks().size() - 1;
      }
    }
  }

  /**
   * A judge of one objective.
   *
   * @param plan whose sessions may be judged
   * @param samples what every request brought, from the intended start; somebody else fills them
   */
  SloEvaluator(Objective objective, PlanTable plan, ObjectiveSamples samples) {
    this.objective = objective;
    this.samples = samples;
    this.fromIntended = new ObjectiveReading(objective, WaitStart.INTENDED, plan);
    this.fromSent = new ObjectiveReading(objective, WaitStart.SENT, plan);
    this.isOfEveryGap = fromIntended.isOfEveryGap();
  }

  /**
   * Takes a measured request for so many answers; one of another class is passed over.
   *
   * @param isTimed whether its moments can be believed
   */
  void read(RequestRow row, int choices, boolean isTimed) {
    long before = intended.judged;
    unstreamed |= row.isUnstreamed() && fromIntended.isMeantFor(row);
    hasAnswer |= row.ending().outcome() == Outcome.OK && fromIntended.isMeantFor(row);
    if (isOfEveryGap && isTimed && row.ending().outcome() == Outcome.OK) {
      intended.takeGaps(fromIntended, row, choices);
    } else {
      fromIntended.judge(row, choices, isTimed, (at, good) -> intended.take(good));
    }
    if (fromSent.dependsOnStart()) {
      fromSent.judge(row, choices, isTimed, (at, good) -> sent.take(good));
    }
    requests += intended.judged > before ? 1 : 0;
    if (row.laterTokens() > 0 && fromIntended.isMeantFor(row)) {
      fewestGaps = Math.min(fewestGaps, row.laterTokens());
    }
  }

  /** The verdict, waiting counted from the intended start. */
  ObjectiveResult fromIntended() {
    return result(intended);
  }

  /**
   * The verdict without the client's own delay, by what the same samples are worth; empty where
   * that delay made nothing bad.
   */
  Optional<ObjectiveResult> withoutOwnDelay() {
    boolean isOther = sent.good != intended.good || sent.judged != intended.judged;
    return fromSent.dependsOnStart() && isOther
        ? Optional.of(result(sent))
        : Optional.empty();
  }

  /**
   * Whether its verdict may be another if stamps were so many seconds late, but for a share of them
   * that may be later. A session sums the delays of its requests, so one that missed its limit may
   * have kept it; a time per token holds but a part of the delay.
   */
  boolean turns(double late, double beyond) {
    boolean isMean = objective.parts().stream().allMatch(part -> part.metric() == Metric.TPOT);
    double seconds = isMean ? late / fewestGaps : late;
    boolean isTime = objective.parts().stream().allMatch(part -> part.metric().isTime());
    if (!isTime || intended.judged == 0) {
      return false;
    }
    if (fromIntended().verdict() == Judgement.Verdict.MISSED) {
      return objective.judgesSessions()
          || samples.shareWithin(objective, seconds) + beyond >= objective.share();
    }
    // A late stamp only makes a wait longer.
    return !objective.parts().stream().allMatch(part -> part.metric().isFromStart())
        && samples.shareWithin(objective, -seconds) - beyond < objective.share();
  }

  private ObjectiveResult result(Counts counts) {
    if (counts.judged == 0) {
      String why = whyNot();
      Figure missing = Figure.missing(why);
      return new ObjectiveResult(
          objective, 0, 0, missing, missing, Judgement.Verdict.NOT_JUDGED, Strength.TOO_CLOSE,
          missing,
          ObjectiveEvidence.none(why));
    }
    return new ObjectiveVerdict(objective, samples, counts.good, counts.judged, requests)
        .result();
  }

  private String whyNot() {
    if (objective.judgesSessions()) {
      return "no session ended";
    }
    String none = hasAnswer ? "no answer tells it" : "nothing to judge";
    return unstreamed ? Distribution.NOT_STREAMED : none;
  }
}
