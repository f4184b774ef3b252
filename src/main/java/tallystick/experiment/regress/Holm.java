package tallystick.experiment.regress;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Chances of several claims, raised so that all claims together err no oftener than one may. */
public final class Holm {
  private Holm() {}

  /** The raised chances, in the order given. */
  public static double[] adjusted(double[] chances) {
    int[] rising =
        IntStream.range(0, chances.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> chances[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] adjusted = new double[chances.length];
    Arrays.fill(adjusted, 1);
    double largest = 0;
    for (int rank = 0; rank < rising.length; rank++) {
      largest = Math.max(largest, Math.min(1, (chances.length - rank) * chances[rising[rank]]));
      adjusted[rising[rank]] = largest;
    }
    return adjusted;
  }
}
