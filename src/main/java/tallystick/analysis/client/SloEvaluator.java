package tallystick.analysis.client;

import java.util.List;
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
  private final ObjectiveSamples least;
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
   * @param least the same on the client's own clock
   */
  SloEvaluator(
      Objective objective, PlanTable plan, ObjectiveSamples samples, ObjectiveSamples least) {
    this.objective = objective;
    this.samples = samples;
    this.least = least;
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
   * Whether its verdict may be another without a delay: with all that the delay may have made
   * longer put right, a missed limit must still be missed; with all that it may have made shorter,
   * a kept one kept. A session sums the delays of its requests.
   */
  boolean turns(OwnDelay delay) {
    List<Objective> times =
        objective.parts().stream().filter(part -> part.metric().isTime()).toList();
    if (times.isEmpty() || intended.judged == 0 || delay.equals(OwnDelay.NONE)) {
      return false;
    }
    Judgement measured = fromIntended().judgement();
    if (measured.isTooClose()) {
      return false;
    }
    Judgement other = measured.isMissed() ? shorter(times, delay) : longer(times, delay);
    return other.isTooClose() || other.verdict() != measured.verdict();
  }

  private Judgement shorter(List<Objective> times, OwnDelay delay) {
    double tooLong =
        times.stream().mapToDouble(part -> delay.tooLong(part, fewestGaps)).max().orElseThrow();
    if (tooLong > 0 && objective.judgesSessions()) {
      return new Judgement(Judgement.Verdict.NOT_JUDGED, Strength.TOO_CLOSE);
    }
    long limit = limitNanos(1 + tooLong);
    double good = least.goodWithin(limit) + Math.ceil(delay.beyond() * intended.judged);
    return judgement(least, good, intended.judged, limit);
  }

  /**
   * Gaps of a time in which the client stood still came as none: they tell nothing. Of others that
   * are too long late stamps, as often later at their begin as at their end, show half at least.
   */
  private Judgement longer(List<Objective> times, OwnDelay delay) {
    double tooShort =
        times.stream().mapToDouble(part -> delay.tooShort(part, fewestGaps)).max().orElseThrow();
    long limit = limitNanos(1 - tooShort);
    double hidden = objective.metric() == Metric.ITL ? delay.stillShare() * intended.judged : 0;
    boolean isOfStarts = times.stream().allMatch(part -> part.metric().isFromStart());
    double bad =
        (intended.judged - samples.goodWithin(limit))
            * (delay.isOfStamps() && !isOfStarts ? 2.0 : 1.0);
    return judgement(
        samples, intended.judged - bad - hidden, intended.judged - hidden, limit);
  }

  private long limitNanos(double times) {
    return Math.max(0, (long) (objective.thresholdSeconds() * times * 1e9));
  }

  private Judgement judgement(ObjectiveSamples brought, double good, double judged, long limit) {
    long all = Math.max(1, (long) judged);
    return new ObjectiveVerdict(
            objective, brought, Math.clamp((long) good, 0, all), all, requests, limit)
        .result()
        .judgement();
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
    return new ObjectiveVerdict(
            objective, samples, counts.good, counts.judged, requests, limitNanos(1))
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
