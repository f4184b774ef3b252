package tallystick.experiment.regress;

import java.util.ArrayList;
import java.util.List;
import tallystick.experiment.Rates;
import tallystick.experiment.regress.PlayedRun.Role;
import tallystick.experiment.regress.PlayedRun.Step;

/**
 * The runs of a comparison in their order. Pairs go base-candidate, candidate-base and so on: what
 * a steady drift or a cache that the first run fills adds falls out of the mean.
 */
final class RunOrder {
  private final List<Step> steps = new ArrayList<>();

  private RunOrder() {}

  /** Pairs between two references. */
  static List<Step> pairs(int repeats, long seed) {
    RunOrder order = new RunOrder();
    long reference = Rates.seed(seed, repeats + 1);
    order.add(Role.REFERENCE, 0, reference);
    for (int pair = 1; pair <= repeats; pair++) {
      boolean baseFirst = pair % 2 == 1;
      long ofPair = Rates.seed(seed, pair);
      order.add(baseFirst ? Role.BASE : Role.CANDIDATE, pair, ofPair);
      order.add(baseFirst ? Role.CANDIDATE : Role.BASE, pair, ofPair);
    }
    order.add(Role.REFERENCE, 0, reference);
    return order.steps;
  }

  /** Runs of the base alone. */
  static List<Step> ofBase(int repeats, long seed) {
    RunOrder order = new RunOrder();
    for (int pair = 1; pair <= repeats; pair++) {
      order.add(Role.BASE, pair, Rates.seed(seed, pair));
    }
    return order.steps;
  }

  /** Runs of the candidate under the schedules that the base once had. */
  static List<Step> ofCandidate(List<RunFigures> base) {
    RunOrder order = new RunOrder();
    for (int i = 0; i < base.size(); i++) {
      order.add(Role.CANDIDATE, i + 1, base.get(i).seed());
    }
    return order.steps;
  }

  private void add(Role role, int pair, long seed) {
    steps.add(new Step(steps.size() + 1, role, pair, seed));
  }
}
