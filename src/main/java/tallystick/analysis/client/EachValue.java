package tallystick.analysis.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tallystick.analysis.result.Timeline;

/** Every n-th of the values that come, n a power of two, so that no more than can be seen stay. */
final class EachValue {
  /** More dots than these lie over one another on a screen, and make a page large. */
  private static final int MOST = 2_000;

  private final String name;
  private List<double[]> kept = new ArrayList<>();
  private long seen;
  private long every = 1;

  /** No value so far of the track of this name. */
  EachValue(String name) {
    this.name = name;
  }

  /** Takes a value, and when it was known; both in seconds. */
  void add(double at, double value) {
    if (seen++ % every == 0) {
      kept.add(new double[] {at, value});
    }
    if (kept.size() > MOST) {
      List<double[]> half = new ArrayList<>();
      for (int i = 0; i < kept.size(); i += 2) {
        half.add(kept.get(i));
      }
      kept = half;
      every *= 2;
    }
  }

  Timeline.Track track() {
    kept.sort(Comparator.comparingDouble(one -> one[0]));
    return new Timeline.Track(
        name, "seconds", "",
        kept.stream().mapToDouble(one -> one[0]).toArray(),
        kept.stream().mapToDouble(one -> one[1]).toArray());
  }
}
