package tallystick.analysis.result;

/**
 * What an objective's verdict rests on: the percentile that the wanted share of things must keep
 * within the limit.
 *
 * @param percentile the percentile at the wanted share, in seconds; failed requests count as
 *     infinitely slow
 * @param low lower end of its 90 % interval
 * @param high upper end of it
 * @param independentCount how many independent things the judged ones are worth at it
 * @param neededRequests about how many requests would settle an objective that is not proven, in
 *     four of five runs like this one
 * @param reason why nothing is proven, or what proves it in the interval's stead; else empty
 */
public record ObjectiveEvidence(
    Figure percentile,
    Figure low,
    Figure high,
    Figure independentCount,
    Figure neededRequests,
    String reason) {

  /**
   * The same beside a sure verdict, which says on which side of the limit the truth lies: its
   * interval does not cross it, and there is none where all of it lies beyond.
   *
   * @param limit in seconds
   */
  public ObjectiveEvidence sure(Judgement.Verdict verdict, double limit) {
    double least = verdict == Judgement.Verdict.MISSED ? limit : 0;
    double most = verdict == Judgement.Verdict.MET ? limit : Double.POSITIVE_INFINITY;
    boolean isBeyond =
        low instanceof Figure.Known from && from.value() > most
            || high instanceof Figure.Known to && to.value() < least;
    Figure none = Figure.missing("the share of good ones tells more");
    return new ObjectiveEvidence(
        percentile,
        isBeyond ? none : low.map(value -> Math.max(least, value)),
        isBeyond ? none : high.map(value -> Math.min(most, value)),
        independentCount, neededRequests, reason);
  }

  /** No evidence at all, and why. */
  public static ObjectiveEvidence none(String why) {
    Figure none = Figure.missing(why);
    return new ObjectiveEvidence(none, none, none, none, none, why);
  }
}
