package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tallystick.runrecord.MetricConcept;
import tallystick.scenario.Formatted;

/**
 * Families with values that cannot be: no number, infinite, below 0, or a counter that fell while
 * its process went on. What such a family counted is unknown if the wrong value stands at an end
 * of the window, or if it cannot be told which of two values is the wrong one.
 */
final class SpoiledFamilies {
  /** Ratios of what may be nothing at all, which engines write as -1 or NaN. */
  private static final Set<MetricConcept> MAY_BE_NONE =
      EnumSet.of(
          MetricConcept.PREFIX_HIT_RATE, MetricConcept.SPEC_ACCEPTANCE_RATE,
          MetricConcept.SPEC_EFFICIENCY);

  private final Map<String, String> forGood = new LinkedHashMap<>();
  private final Map<String, Unreadable> unreadable = new TreeMap<>();

  /** The newest scrape with a value that cannot be, that value, and how many scrapes have one. */
  private record Unreadable(long scrape, double value, long scrapes) {
    Unreadable next(long at, double newest) {
      return new Unreadable(at, newest, at == scrape ? scrapes : scrapes + 1);
    }
  }

  /** Takes what a scrape shows for a series. */
  void note(SeriesTrack track, double exposed, long scrape, boolean atFirst) {
    if (track.isReadable() || track.concept().filter(MAY_BE_NONE::contains).isPresent()
        || track.concept().isEmpty()) {
      return;
    }
    String family = track.family();
    unreadable.merge(
        family, new Unreadable(scrape, exposed, 1), (one, other) -> one.next(scrape, exposed));
    if (atFirst && track.isCumulative()) {
      forGood.putIfAbsent(family, "was " + number(exposed) + " when the window began");
    }
  }

  /** A counter that stands below its value before, although its process did not begin anew. */
  void fell(SeriesTrack track) {
    forGood.putIfAbsent(
        track.family(),
        "fell from " + number(track.previous()) + " to " + number(track.value())
            + " while the engine went on");
  }

  /**
   * Why nothing is known of what a family counted; empty where it is known.
   *
   * @param newest number of the newest scrape
   */
  Optional<String> why(String family, long newest) {
    if (forGood.isEmpty() && unreadable.isEmpty()) {
      return Optional.empty();
    }
    Unreadable last = unreadable.get(family);
    return Optional.ofNullable(forGood.get(family))
        .or(
            () ->
                last != null && last.scrape() == newest
                    ? Optional.of("is " + number(last.value()) + " at the end")
                    : Optional.empty());
  }

  Set<String> forGood() {
    return Collections.unmodifiableSet(forGood.keySet());
  }

  /** One line for each family. */
  List<String> lines(long newest) {
    List<String> lines = new ArrayList<>();
    unreadable.forEach(
        (family, at) ->
            lines.add(
                family + " is " + number(at.value()) + " in " + at.scrapes() + " of "
                    + (newest + 1) + " scrapes"));
    forGood.forEach(
        (family, why) -> {
          if (!unreadable.containsKey(family)) {
            lines.add(family + " " + why);
          }
        });
    return lines;
  }

  private static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    boolean isWhole = value == Math.rint(value) && Math.abs(value) < 1e15;
    return isWhole ? Long.toString((long) value) : Formatted.of("%.6g", value);
  }
}
