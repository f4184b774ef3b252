package tallystick.analysis.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tallystick.analysis.result.Timeline;

/**
 * Values one by one, for dots: of more than can be seen a random part, drawn by a hash of each
 * request's place in the plan, so that what alternates is not drawn away.
 */
final class EachValue {
  /** More dots than these lie over one another on a screen, and make a page large. */
  private static final int MOST = 2_000;

  /** Fibonacci hashing: the golden ratio times 2^64 spreads neighbours over all its high bits. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final String name;
  private final List<Value> kept = new ArrayList<>();
  private int halvings;

  private record Value(int index, double at, double seconds) {}

  /** No value so far of the track of this name. */
  EachValue(String name) {
    this.name = name;
  }

  /** Takes the value of a request of the plan, and when it was known; both in seconds. */
  void add(int index, double at, double value) {
    Value one = new Value(index, at, value);
    if (stays(one)) {
      kept.add(one);
    }
    while (kept.size() > MOST) {
      halvings++;
      kept.removeIf(each -> !stays(each));
    }
  }

  private boolean stays(Value one) {
    // A product of neighbours is too even by itself: its high half is mixed into it once more.
    long mixed = one.index() * SPREAD;
    mixed = (mixed ^ mixed >>> 32) * SPREAD;
    return Long.numberOfLeadingZeros(mixed) >= halvings;
  }

  Timeline.Track track() {
    List<Value> inOrder = kept.stream().sorted(Comparator.comparingDouble(Value::at)).toList();
    return new Timeline.Track(
        name, "seconds", "",
        inOrder.stream().mapToDouble(Value::at).toArray(),
        inOrder.stream().mapToDouble(Value::seconds).toArray());
  }
}
