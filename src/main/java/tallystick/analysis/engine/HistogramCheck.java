package tallystick.analysis.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Whether a target's histograms can be what they say: each bucket holds at least what the one below
 * it holds, the last one holds every observation, and between any two scrapes the sum lies between
 * the observations' lower edges and their upper ones.
 */
final class HistogramCheck {
  /** Sums are added up in floating point. */
  private static final double ROUNDING = 1e-9;

  private final Map<String, Histogram> histograms = new LinkedHashMap<>();
  private final Map<String, String> faults = new LinkedHashMap<>();
  private final Map<String, String> unreadable = new LinkedHashMap<>();

  /** Series of one family and one set of labels, and what they were at the scrape before. */
  private static final class Histogram {
    final NavigableMap<Double, SeriesTrack> buckets = new TreeMap<>();
    Optional<SeriesTrack> sum = Optional.empty();
    Optional<SeriesTrack> count = Optional.empty();
    Optional<Values> before = Optional.empty();

    boolean isWholeAt(long scrape) {
      return !buckets.isEmpty()
          && sum.filter(track -> track.lastSeen() == scrape).isPresent()
          && count.filter(track -> track.lastSeen() == scrape).isPresent()
          && buckets.values().stream().allMatch(track -> track.lastSeen() == scrape);
    }

    Values values() {
      double all = count.orElseThrow().value();
      NavigableMap<Double, Double> below = new TreeMap<>();
      buckets.forEach((edge, track) -> below.put(edge, track.value()));
      below.putIfAbsent(Double.POSITIVE_INFINITY, all);
      return new Values(below, all, sum.orElseThrow().value());
    }
  }

  /** A histogram at one scrape: observations at or below each edge. */
  private record Values(NavigableMap<Double, Double> below, double count, double sum) {}

  /** Takes a series that was not there before. */
  void add(SeriesTrack track) {
    boolean isPart =
        switch (track.kind()) {
          case BUCKET -> !Double.isNaN(track.edge());
          case SUM, COUNT -> true;
          case COUNTER, GAUGE, BIRTH, OTHER -> false;
        };
    if (!isPart) {
      if (track.kind() == SeriesTrack.Kind.BUCKET) {
        unreadable.putIfAbsent(track.family(), track.family() + ": a bucket's edge is no number");
      }
      return;
    }
    Map<String, String> labels = new TreeMap<>(track.series().labels());
    labels.remove("le");
    Histogram histogram =
        histograms.computeIfAbsent(track.family() + labels, any -> new Histogram());
    if (track.kind() == SeriesTrack.Kind.BUCKET) {
      histogram.buckets.put(track.edge(), track);
    } else if (track.kind() == SeriesTrack.Kind.SUM) {
      histogram.sum = Optional.of(track);
    } else {
      histogram.count = Optional.of(track);
    }
  }

  /**
   * Looks at all histograms once the series of a scrape have been taken.
   *
   * @param isOneProcess whether a scrape shows one moment; several processes write while it is
   *     read, so of them only the newest scrape, which is a quiet one at the end, counts
   */
  void look(long scrape, boolean isOneProcess) {
    if (!isOneProcess) {
      faults.clear();
    }
    for (Histogram histogram : histograms.values()) {
      if (!histogram.isWholeAt(scrape)) {
        continue;
      }
      Values now = histogram.values();
      String family = histogram.count.orElseThrow().family();
      fault(now).ifPresent(what -> faults.putIfAbsent(family, family + ": " + what));
      histogram
          .before
          .flatMap(before -> growth(before, now))
          .flatMap(grown -> sumFault(grown, now.sum()))
          .ifPresent(what -> faults.putIfAbsent(family, family + ": " + what));
      if (isOneProcess || histogram.before.isEmpty()) {
        histogram.before = Optional.of(now);
      }
    }
  }

  /** One line for each family that contradicts itself. */
  List<String> faults() {
    return Stream.concat(unreadable.values().stream(), faults.values().stream()).toList();
  }

  private static Optional<String> fault(Values values) {
    double lower = 0;
    for (Map.Entry<Double, Double> bucket : values.below().entrySet()) {
      if (bucket.getValue() < lower) {
        return Optional.of(
            String.format(
                Locale.ROOT, "%.0f observations at or below %s, but %.0f below a lower edge",
                bucket.getValue(), edge(bucket.getKey()), lower));
      }
      lower = bucket.getValue();
    }
    return lower == values.count()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT, "%.0f observations in all buckets, %.0f by its count", lower,
                values.count()));
  }

  /** What came in between; empty over a restart, or where the edges are others. */
  private static Optional<Values> growth(Values before, Values now) {
    if (!before.below().keySet().equals(now.below().keySet())
        || now.count() < before.count()
        || now.count() == before.count() && now.sum() == before.sum()) {
      return Optional.empty();
    }
    NavigableMap<Double, Double> below = new TreeMap<>();
    now.below().forEach((edge, count) -> below.put(edge, count - before.below().get(edge)));
    boolean fell = below.values().stream().anyMatch(count -> count < 0);
    return fell
        ? Optional.empty()
        : Optional.of(
            new Values(below, now.count() - before.count(), now.sum() - before.sum()));
  }

  private static Optional<String> sumFault(Values grown, double whole) {
    double least = 0;
    double most = 0;
    double under = 0;
    double edgeUnder = Double.NaN;
    for (Map.Entry<Double, Double> bucket : grown.below().entrySet()) {
      double edge = bucket.getKey();
      double here = bucket.getValue() - under;
      if (here < 0) {
        return Optional.of("a bucket grew by more than the next one, which holds it");
      }
      if (here > 0) {
        least += here * (Double.isNaN(edgeUnder) ? lowest(edge) : edgeUnder);
        most += here * edge;
      }
      under = bucket.getValue();
      edgeUnder = edge;
    }
    double rounding = ROUNDING * (1 + Math.abs(whole) + Math.abs(least));
    return grown.sum() < least - rounding || grown.sum() > most + rounding
        ? Optional.of(
            String.format(
                Locale.ROOT, "a sum of %s between two scrapes, its buckets allow %s to %s",
                number(grown.sum()), number(least), number(most)))
        : Optional.empty();
  }

  /** Lengths of time and counts are not negative. */
  private static double lowest(double firstEdge) {
    return firstEdge >= 0 ? 0 : Double.NEGATIVE_INFINITY;
  }

  private static String edge(double edge) {
    return Double.isInfinite(edge) ? "+Inf" : number(edge);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }
}
