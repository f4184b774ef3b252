package tallystick.experiment.fit;

import java.util.ArrayList;
import java.util.List;

/**
 * The steps of a run that are no stalls.
 *
 * <p>A token that was held up on its way makes its step look long and the next one short. Such a
 * short step is read as one with the step before it: what the two took together is right. Left
 * out alone, it would leave the long one in, and steps would seem slower than they are.
 */
final class OutlierFreeSteps {
  /** Beyond so many times its due, or below so small a part of it, a step is none. */
  static final double STALL_FACTOR = 2.5;

  private OutlierFreeSteps() {}

  /**
   * Reads them.
   *
   * @param run steps of one run, in order
   * @param costs what they should take, see {@link ObservedStep#expected}
   * @param speed what this run's steps take over that
   */
  static List<ObservedStep> of(List<ObservedStep> run, double[] costs, double speed) {
    List<ObservedStep> whole = new ArrayList<>();
    for (ObservedStep step : run) {
      boolean isShort = step.nanos() * STALL_FACTOR <= speed * step.expected(costs);
      if (isShort && !whole.isEmpty() && step.follows(whole.getLast())) {
        whole.add(whole.removeLast().with(step));
      } else {
        whole.add(step);
      }
    }
    return whole.stream()
        .filter(step -> isCalm(step.nanos(), speed * step.expected(costs)))
        .toList();
  }

  static boolean isCalm(double nanos, double expected) {
    double ratio = nanos / expected;
    return ratio < STALL_FACTOR && ratio > 1 / STALL_FACTOR;
  }

  /** How many steps they are: some stand for more than one. */
  static double count(List<ObservedStep> steps) {
    return steps.stream().mapToDouble(ObservedStep::count).sum();
  }

  /** Mean of what they took over what they should. */
  static double meanRatio(List<ObservedStep> steps, double[] costs) {
    double sum =
        steps.stream()
            .mapToDouble(step -> step.count() * step.nanos() / step.expected(costs))
            .sum();
    return sum / count(steps);
  }
}
