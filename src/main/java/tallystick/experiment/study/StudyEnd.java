package tallystick.experiment.study;

/** Why a study asks for no further run. */
sealed interface StudyEnd {

  /** Every threshold is earned, or more runs would not help. */
  record Decided() implements StudyEnd {}

  /**
   * The budget has no room for another run.
   *
   * @param neededSeconds about how much the next one takes
   */
  record OutOfTime(double neededSeconds) implements StudyEnd {}

  /** Short runs did not find the capacity. */
  record CapacityLost(String mix, String why) implements StudyEnd {}

  /** Two runs in a row cannot be used. */
  record Untrusted(String why) implements StudyEnd {}

  /** Less time was given than the least study takes. */
  record BudgetTooSmall(double leastSeconds) implements StudyEnd {}
}
