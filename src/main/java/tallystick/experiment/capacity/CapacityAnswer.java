package tallystick.experiment.capacity;

/** How a search for the capacity ends. */
sealed interface CapacityAnswer {

  /** Rates between which the capacity lies for certain; from 0 to infinity where nobody knows. */
  default RateCurve.Span span() {
    return new RateCurve.Span(0, Double.POSITIVE_INFINITY);
  }

  /**
   * Fresh runs held at a rate that the curve through all runs holds for certain, too.
   *
   * @param perSecond the rate
   * @param span rates between which the largest one lies
   */
  record Certified(double perSecond, RateCurve.Span span) implements CapacityAnswer {}

  /**
   * The time is used up.
   *
   * @param span rates between which the largest one lies
   * @param isProven whether the span is an interval of the curve; else what single probes showed
   * @param neededSeconds about how much more time a certified rate takes
   */
  record Unproven(RateCurve.Span span, boolean isProven, double neededSeconds)
      implements CapacityAnswer {}

  /**
   * No rate that was tried failed.
   *
   * @param perSecond largest rate that held
   * @param why no larger one was tried
   */
  record AtLeast(double perSecond, String why) implements CapacityAnswer {}

  /**
   * Requests that hardly met one another broke the limits.
   *
   * @param perSecond the rate they came at
   * @param goodShare share of them that kept every limit
   */
  record NeverHeld(double perSecond, double goodShare) implements CapacityAnswer {}

  /** Probes whose figures cannot be used, and why. */
  record Untrusted(String why) implements CapacityAnswer {}

  /** Less time was given than the first probe takes. */
  record BudgetTooSmall(double leastSeconds) implements CapacityAnswer {}
}
