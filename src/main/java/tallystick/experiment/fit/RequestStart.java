package tallystick.experiment.fit;

/**
 * What the begin of a request tells of its own cost.
 *
 * <p>One that met an idle engine waited for its own step alone. One that came while the engine was
 * in a step waited for the end of that step, half of it on average: a request comes at any moment.
 * How long that step took is read together with the one before it. While an API server parses a
 * request, the tokens between the two wait, so the one alone would seem too short.
 *
 * @param atNanos when it was sent, after the run's origin
 * @param nanos until its first token; beside others, until the step began that computed it
 * @param work of what it waited for, as {@link ObservedStep#work()}
 * @param beforeNanos how long the step that was on when it came and the one before took; 0 for an
 *     idle engine
 * @param earlier work of that one before
 */
record RequestStart(
    long atNanos, double nanos, double[] work, double beforeNanos, double[] earlier) {

  /** What a simulation's network takes there and back where nothing else is asked. */
  static final double WAY_NANOS = 200_000;

  /** One that met an idle engine. */
  static RequestStart idle(long atNanos, double nanos, double[] work) {
    return new RequestStart(atNanos, nanos, work, 0, new double[work.length]);
  }

  /** Whether it met an idle engine. */
  boolean isIdle() {
    return beforeNanos == 0;
  }

  /** The same, with what the engine's wake-up takes counted as a part of the request's cost. */
  RequestStart withoutWake() {
    double[] rest = work.clone();
    rest[StepCostTerm.WAKE.ordinal()] = 0;
    return new RequestStart(atNanos, nanos, rest, beforeNanos, earlier);
  }

  /** What it should take at such costs. */
  double expected(double[] costs) {
    return ObservedStep.due(work, costs) + restNanos(costs);
  }

  /** Half of the step that was on when it came. */
  double restNanos(double[] costs) {
    return (beforeNanos - ObservedStep.due(earlier, costs)) / 2;
  }

  /** How far it is off what it should take, as a share of {@link #scale}. */
  double off(double[] costs, double apartNanos) {
    return (nanos - apartNanos - expected(costs)) / scale(costs);
  }

  /** What its scatter grows with. */
  double scale(double[] costs) {
    return Math.max(1, ObservedStep.due(work, costs) + beforeNanos / 2);
  }

  /** Whether it waited for nothing else. */
  boolean isPlausible(double[] costs, double apartNanos) {
    double waited = nanos - apartNanos;
    return waited < OutlierFreeSteps.STALL_FACTOR * scale(costs)
        && waited > ObservedStep.due(work, costs) / OutlierFreeSteps.STALL_FACTOR - beforeNanos / 2;
  }
}
