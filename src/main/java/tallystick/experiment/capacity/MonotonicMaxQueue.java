package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.List;

/** The longest step since any earlier one: of the steps only those that no later one outlasts. */
final class MonotonicMaxQueue {
  private final List<Step> steps = new ArrayList<>();

  private record Step(long number, double seconds) {}

  /** Adds the next step. */
  void add(long number, double seconds) {
    while (!steps.isEmpty() && steps.getLast().seconds <= seconds) {
      steps.removeLast();
    }
    steps.add(new Step(number, seconds));
  }

  /** The longest of the steps after one, in seconds; 0 where there is none. */
  double since(long number) {
    int low = 0;
    int high = steps.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (steps.get(middle).number <= number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == steps.size() ? 0 : steps.get(low).seconds;
  }
}
