package tallystick.plan;

import java.util.List;
import tallystick.scenario.Target;

/**
 * Deals requests out to targets in turn, each as often as its weight says and as evenly spread as
 * possible: everyone gains its weight, the richest is taken and pays the total.
 */
final class TargetTurns {
  private final double[] weights;
  private final double[] credit;

  TargetTurns(List<Target> targets) {
    this.weights = targets.stream().mapToDouble(Target::weight).toArray();
    this.credit = new double[weights.length];
  }

  /** Index of the next target; 0 where the targets are not known yet. */
  int next() {
    int richest = 0;
    double total = 0;
    for (int i = 0; i < weights.length; i++) {
      credit[i] += weights[i];
      total += weights[i];
      if (credit[i] > credit[richest]) {
        richest = i;
      }
    }
    if (weights.length > 0) {
      credit[richest] -= total;
    }
    return richest;
  }
}
