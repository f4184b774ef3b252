package tallystick.experiment.fit;

import java.util.Arrays;

/**
 * One engine step, as the arrivals of its tokens tell it; or some that are read as one.
 *
 * @param atNanos its end, after the run's origin
 * @param nanos from the end of the step before to its own
 * @param work steps, prompt tokens, pairs, decoding sequences, tokens of context, requests
 *     waited for, idle engines woken
 * @param others tokens that came after the step's first
 * @param meanOffsetNanos how much later than the first those came, on average
 */
record ObservedStep(
    long atNanos, double nanos, double[] work, int others, double meanOffsetNanos) {

  /** How many steps it stands for. */
  double count() {
    return work[0];
  }

  /** Whether it begins where another one ends. */
  boolean follows(ObservedStep before) {
    return atNanos - Math.round(nanos) == before.atNanos;
  }

  /** The two as one. When its tokens came says nothing of their way then. */
  ObservedStep with(ObservedStep next) {
    double[] both = work.clone();
    Arrays.setAll(both, i -> work[i] + next.work[i]);
    return new ObservedStep(next.atNanos, nanos + next.nanos, both, 0, 0);
  }

  /** What it should take at such costs. */
  double expected(double[] costs) {
    return Math.max(due(work, costs), 1);
  }

  /** What work should take at such costs. */
  static double due(double[] work, double[] costs) {
    double sum = 0;
    for (int i = 0; i < work.length; i++) {
      sum += costs[i] * work[i];
    }
    return sum;
  }
}
