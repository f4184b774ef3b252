package tallystick.experiment.fit;

/**
 * The first token of a request that met an idle engine.
 *
 * @param atNanos when it was sent, after the run's origin
 * @param nanos until its first token
 * @param work of the one step in between, as {@link ObservedStep#work()}
 */
record IdleStart(long atNanos, double nanos, double[] work) {

  /** What it should take at such costs. */
  double expected(double[] costs) {
    return new ObservedStep(atNanos, nanos, work, 0, 0).expected(costs);
  }
}
