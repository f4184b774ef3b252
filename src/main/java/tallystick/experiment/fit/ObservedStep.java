package tallystick.experiment.fit;

/**
 * One engine step, as the arrivals of its tokens tell it.
 *
 * @param atNanos its end, after the run's origin
 * @param nanos from the end of the step before to its own
 * @param work 1, prompt tokens, pairs, decoding sequences, tokens of context, requests waited for
 * @param others tokens that came after the step's first
 * @param meanOffsetNanos how much later than the first those came, on average
 */
record ObservedStep(
    long atNanos, double nanos, double[] work, int others, double meanOffsetNanos) {

  /** What it should take at such costs. */
  double expected(double[] costs) {
    double sum = 0;
    for (int i = 0; i < work.length; i++) {
      sum += costs[i] * work[i];
    }
    return Math.max(sum, 1);
  }
}
