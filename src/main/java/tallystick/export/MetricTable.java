package tallystick.export;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;

/**
 * Points in time of many series, put in the order OpenMetrics wants: families whole, in them one
 * metric after the other, and its points in order of time. Holds all points in memory, 20 bytes
 * each.
 */
final class MetricTable {
  private static final String CREATED = "_created";

  private final Map<String, Family> families = new LinkedHashMap<>();
  private final Map<Series, Place> places = new HashMap<>();

  /** One family with its OpenMetrics type. */
  record Family(String type, Map<SortedMap<String, String>, Points> metrics) {}

  /** The points of one metric; a histogram's series together. */
  static final class Points {
    private Series[] series = new Series[0];
    private int[] which = new int[16];
    private long[] utcMillis = new long[16];
    private double[] values = new double[16];
    private int count;

    int count() {
      return count;
    }

    Series series(int point) {
      return series[which[point]];
    }

    long utcMillis(int point) {
      return utcMillis[point];
    }

    double value(int point) {
      return values[point];
    }

    private int index(Series added) {
      series = Arrays.copyOf(series, series.length + 1);
      series[series.length - 1] = added;
      return series.length - 1;
    }

    private void add(int index, long time, double value) {
      if (count == which.length) {
        which = Arrays.copyOf(which, count * 2);
        utcMillis = Arrays.copyOf(utcMillis, count * 2);
        values = Arrays.copyOf(values, count * 2);
      }
      which[count] = index;
      utcMillis[count] = time;
      values[count] = value;
      count++;
    }
  }

  private record Place(Points points, int index) {}

  /** Adds a point; the points of one series come in order of time. */
  void add(Series series, long utcMillis, double value) {
    Place place = places.computeIfAbsent(series, this::place);
    place.points().add(place.index(), utcMillis, value);
  }

  Map<String, Family> families() {
    return families;
  }

  private Place place(Series series) {
    String name = family(series);
    Family family =
        families.computeIfAbsent(
            name, any -> new Family(type(series, name), new LinkedHashMap<>()));
    SortedMap<String, String> labels = new TreeMap<>(series.labels());
    labels.remove("le");
    labels.remove("quantile");
    Points points = family.metrics().computeIfAbsent(labels, any -> new Points());
    return new Place(points, points.index(series));
  }

  /** The family a sample belongs to in OpenMetrics, where {@code _created} is part of it. */
  private String family(Series series) {
    String name = series.name();
    return switch (series.type()) {
      case COUNTER -> cut(name, "_total");
      case HISTOGRAM -> cut(cut(cut(name, "_bucket"), "_sum"), "_count");
      case SUMMARY -> cut(cut(name, "_sum"), "_count");
      case GAUGE -> families.containsKey(cut(name, CREATED)) ? cut(name, CREATED) : name;
      case UNTYPED -> name;
    };
  }

  private static String type(Series series, String family) {
    // A counter of OpenMetrics ends in _total; one without keeps its name and loses its type.
    boolean isBareCounter = series.type() == Type.COUNTER && family.equals(series.name());
    return isBareCounter || series.type() == Type.UNTYPED
        ? "unknown"
        : series.type().name().toLowerCase(Locale.ROOT);
  }

  private static String cut(String name, String ending) {
    return name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
  }
}
