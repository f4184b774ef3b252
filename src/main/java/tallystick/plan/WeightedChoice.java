package tallystick.plan;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Picks one of several things, each as often as its weight says. */
final class WeightedChoice<T> {
  private final List<T> things;
  private final double[] sums;

  WeightedChoice(List<T> things, ToDoubleFunction<T> weight) {
    this.things = List.copyOf(things);
    this.sums = new double[things.size()];
    double sum = 0;
    for (int i = 0; i < sums.length; i++) {
      sum += weight.applyAsDouble(things.get(i));
      sums[i] = sum;
    }
  }

  T next(RandomStream random) {
    double point = random.nextDouble() * sums[sums.length - 1];
    int found = Arrays.binarySearch(sums, point);
    int index = found >= 0 ? found + 1 : -found - 1;
    return things.get(Math.min(index, sums.length - 1));
  }
}
