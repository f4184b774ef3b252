package tallystick.alerting.derivation;

/**
 * Right and wrong answers of a threshold on windows it was not fitted to.
 *
 * @param truePositives violated and above
 * @param falsePositives healthy and above
 * @param falseNegatives violated and not above
 * @param trueNegatives healthy and not above
 */
public record Confusion(
    long truePositives, long falsePositives, long falseNegatives, long trueNegatives) {
  static final Confusion NONE = new Confusion(0, 0, 0, 0);

  static Confusion of(LabelledValues values, double threshold) {
    long hits = values.violatedAbove(threshold);
    long alarms = values.healthyAbove(threshold);
    return new Confusion(
        hits, alarms, values.violated().length - hits, values.healthy().length - alarms);
  }

  Confusion plus(Confusion other) {
    return new Confusion(
        truePositives + other.truePositives,
        falsePositives + other.falsePositives,
        falseNegatives + other.falseNegatives,
        trueNegatives + other.trueNegatives);
  }

  /** Share of alarms that were right; NaN without alarms. */
  public double precision() {
    return truePositives / (double) (truePositives + falsePositives);
  }

  /** Share of violated windows found; NaN without any. */
  public double recall() {
    return truePositives / (double) (truePositives + falseNegatives);
  }

  /** Share of healthy windows with an alarm; NaN without any. */
  public double falseAlarms() {
    return falsePositives / (double) (falsePositives + trueNegatives);
  }

  /** Youden's J. */
  public double youden() {
    return recall() - falseAlarms();
  }
}
