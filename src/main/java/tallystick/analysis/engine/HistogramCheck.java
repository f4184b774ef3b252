package tallystick.analysis.engine;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import tallystick.scenario.Formatted;

/**
 * Whether a target's histograms can be what they say: each bucket holds at least what the one below
 * it holds, the last one holds every observation, and between any two scrapes the sum lies between
 * the observations' lower edges and their upper ones.
 */
final class HistogramCheck {
  private final Map<String, Histogram> histograms = new LinkedHashMap<>();
  private final Map<String, String> faults = new LinkedHashMap<>();
  private final Map<String, String> unreadable = new LinkedHashMap<>();

  /** Series of one family and one set of labels. */
  private static final class Histogram {
    final NavigableMap<Double, SeriesTrack> buckets = new TreeMap<>();

    /** The same in the order of their edges, and the edges; made anew for each new bucket. */
    SeriesTrack[] inOrder = {};

    double[] edges = {};
    Optional<SeriesTrack> sum = Optional.empty();
    Optional<SeriesTrack> count = Optional.empty();
    Optional<HistogramValues> first = Optional.empty();
    final TornSums sums = new TornSums();
    private Optional<HistogramValues> newest = Optional.empty();
    private long newestAt = Long.MIN_VALUE;

    void addBucket(SeriesTrack track) {
      buckets.put(track.edge(), track);
      inOrder = buckets.values().toArray(SeriesTrack[]::new);
      NavigableSet<Double> all = new TreeSet<>(buckets.keySet());
      all.add(Double.POSITIVE_INFINITY);
      edges = all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** What it shows at a scrape, the same object where nothing grew; empty unless whole. */
    Optional<HistogramValues> at(long scrape) {
      if (inOrder.length == 0 || sum.isEmpty() || count.isEmpty()
          || !isThere(sum.get(), scrape) || !isThere(count.get(), scrape)) {
        return Optional.empty();
      }
      boolean hasGrown =
          newestAt != scrape - 1 || sum.get().lastGrowth() != 0 || count.get().lastGrowth() != 0;
      for (SeriesTrack track : inOrder) {
        if (!isThere(track, scrape)) {
          return Optional.empty();
        }
        hasGrown |= track.lastGrowth() != 0;
      }
      newest = hasGrown ? Optional.of(values()) : newest;
      newestAt = scrape;
      return newest;
    }

    private static boolean isThere(SeriesTrack track, long scrape) {
      return track.lastSeen() == scrape && track.isReadable();
    }

    String family() {
      return count.orElseThrow().family();
    }

    private HistogramValues values() {
      double all = count.orElseThrow().value();
      double[] below = new double[edges.length];
      Arrays.fill(below, all);
      for (int i = 0; i < inOrder.length; i++) {
        below[i] = inOrder[i].value();
      }
      return new HistogramValues(edges, below, all, sum.orElseThrow().value());
    }
  }

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
        unreadable.putIfAbsent(
            track.family(), track.family() + ": a bucket's edge is not a number");
      }
      return;
    }
    Map<String, String> labels = new TreeMap<>(track.series().labels());
    labels.remove("le");
    Histogram histogram =
        histograms.computeIfAbsent(track.family() + labels, any -> new Histogram());
    histogram.newestAt = Long.MIN_VALUE;
    if (track.kind() == SeriesTrack.Kind.BUCKET) {
      histogram.addBucket(track);
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
      Optional<HistogramValues> shown = histogram.at(scrape);
      if (shown.isEmpty()) {
        continue;
      }
      HistogramValues now = shown.get();
      String family = histogram.family();
      fault(now).ifPresent(what -> faults.putIfAbsent(family, family + ": " + what));
      sumFault(histogram, now, isOneProcess)
          .ifPresent(what -> faults.putIfAbsent(family, family + ": " + what));
    }
  }

  private static Optional<String> sumFault(
      Histogram histogram, HistogramValues now, boolean isOneProcess) {
    if (isOneProcess) {
      return histogram.sums.take(now);
    }
    if (histogram.first.isEmpty()) {
      histogram.first = Optional.of(now);
    }
    return histogram.first.orElseThrow().growthTo(now)
        .flatMap(grown -> grown.bucketFault().or(grown::sumFault));
  }

  /**
   * One line for each family that contradicts itself.
   *
   * @param endsQuiet whether the last scrape is of a quiet engine; of a busy one its sums may be
   *     ahead of their buckets
   */
  List<String> faults(boolean endsQuiet) {
    Map<String, String> all = new LinkedHashMap<>(faults);
    if (endsQuiet) {
      histograms.values().forEach(
          histogram ->
              histogram.sums.unexplained().ifPresent(
                  what -> all.putIfAbsent(histogram.family(), histogram.family() + ": " + what)));
    }
    return Stream.concat(unreadable.values().stream(), all.values().stream()).toList();
  }

  private static Optional<String> fault(HistogramValues values) {
    double lower = 0;
    for (int i = 0; i < values.edges().length; i++) {
      double here = values.below()[i];
      if (here < lower) {
        return Optional.of(Formatted.of(
            "%.0f observations at or below %s, but %.0f below a lower edge",
            here, edge(values.edges()[i]), lower));
      }
      lower = here;
    }
    return lower == values.count()
        ? Optional.empty()
        : Optional.of(Formatted.of(
            "%.0f observations in all buckets, %.0f by its count", lower, values.count()));
  }

  private static String edge(double edge) {
    return Double.isInfinite(edge) ? "+Inf" : HistogramValues.number(edge);
  }
}
