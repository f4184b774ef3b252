package tallystick.alerting.watch;

import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tallystick.alerting.watch.MetricHistory.Steps;
import tallystick.alerting.watch.WatchedAlert.Learned;
import tallystick.analysis.result.Strength;
import tallystick.promql.Expressions;
import tallystick.promql.Labels;
import tallystick.promql.PromqlParser;
import tallystick.runrecord.Series;

/**
 * A signal while users are well, day by day, beside what a study saw while its users were well.
 *
 * <p>The statistic is the share of healthy windows in which the signal exceeds the largest value of
 * the study's healthy windows. Of n windows none exceeded it, so with 95 % confidence a signal that
 * has not changed does so in at most {@code 1 - 0.05^(1/n)} of the time, whatever its distribution.
 * A quantile is known only to its bucket: where that holds the study's value too, it is unclear.
 *
 * @param alert whose signal it is
 * @param signal its word, for example {@code queue_p95}
 * @param series labels of the signal's series
 * @param threshold above which the alert fires
 * @param most the largest value that the study saw while users were well
 * @param studyWindows in how many windows
 * @param allowed the share of healthy windows that may exceed it
 * @param days in their order; without those on which users were never well
 */
public record Envelope(
    String alert,
    String signal,
    String series,
    double threshold,
    double most,
    int studyWindows,
    double allowed,
    List<Day> days) {
  /** As many healthy windows above it as a threshold may have on a mix that it was not made for. */
  private static final double LEAST_ALLOWED = 0.1; // docs/alerts.md, Refusals

  private static final double CHANCE = 0.05; // one study in twenty has so low a maximum

  private static final long HOUR = 3_600_000;

  /** A shorter look at a day is a look at one time of it. */
  private static final int LEAST_HOURS = 3;

  /**
   * One day, or several together.
   *
   * @param day in UTC, the first of several
   * @param windows in which users were well and the signal had a value
   * @param hours that have such a window: windows of one hour resemble each other, so these are
   *     what is counted
   * @param above share of the windows above what the study saw
   * @param unclear share of those in which the buckets are too coarse to tell
   * @param aboveThreshold share of the windows in which the alert's condition held
   * @param outside how probable it is that the share is more than allowed
   */
  public record Day(
      String day,
      int windows,
      int hours,
      double above,
      double unclear,
      double aboveThreshold,
      double outside) {
    /** Whether there is enough of it. */
    boolean isJudged() {
      return hours >= LEAST_HOURS;
    }

    /** Whether the signal was outside on it. */
    boolean isOutside() {
      return isJudged() && outside >= Strength.LIKELY_FROM;
    }
  }

  public Envelope {
    days = List.copyOf(days);
  }

  /**
   * A window in which users were well.
   *
   * @param least the lower edge of the bucket that holds the value; itself where it is not a
   *     quantile
   */
  private record Window(long endMillis, double value, double least) {}

  /** One for each series of the signal that had a value while its users were well. */
  static List<Envelope> read(MetricHistory history, String alert, Learned learned, Users users)
      throws IOException, InterruptedException {
    Steps windows = users.windows();
    double allowed =
        Math.max(LEAST_ALLOWED, 1 - Math.pow(CHANCE, 1.0 / Math.max(1, learned.windows())));
    TreeSet<Double> edges = edges(history, learned, windows);
    List<Envelope> all = new ArrayList<>();
    history.values(learned.query(), windows).forEach(
        (labels, values) -> {
          TreeMap<String, List<Window>> days =
              IntStream.range(0, values.length)
                  .filter(i -> !Double.isNaN(values[i]))
                  .filter(i -> users.state(i, labels) == Users.State.WELL)
                  .mapToObj(i -> window(windows.at(i), values[i], edges))
                  .collect(
                      Collectors.groupingBy(
                          window -> dayOf(window.endMillis()), TreeMap::new,
                          Collectors.toList()));
          if (!days.isEmpty()) {
            all.add(of(alert, learned, labels, allowed, days));
          }
        });
    return all;
  }

  private static Window window(long endMillis, double value, TreeSet<Double> edges) {
    return new Window(
        endMillis, value,
        edges.isEmpty() ? value : Objects.requireNonNullElse(edges.floor(value), 0.0));
  }

  private static Envelope of(
      String alert, Learned learned, Labels labels, double allowed,
      Map<String, List<Window>> windows) {
    double most = learned.most();
    List<Day> days = new ArrayList<>();
    windows.forEach(
        (day, of) -> {
          int hours = (int) of.stream().map(one -> (one.endMillis() - 1) / HOUR).distinct().count();
          double above = share(of, one -> one.value() > most && one.least() >= most);
          days.add(
              new Day(
                  day, of.size(), hours, above,
                  share(of, one -> one.value() > most && one.least() < most),
                  share(of, one -> one.value() > learned.threshold()),
                  Users.exceeds(above, hours, allowed)));
        });
    return new Envelope(
        alert, learned.word(), labels.withoutName().toString(), learned.threshold(), most,
        learned.windows(), allowed, days);
  }

  private static double share(List<Window> windows, Predicate<Window> kind) {
    return windows.stream().filter(kind).count() / (double) windows.size();
  }

  /** Finite edges of the buckets that the signal is a quantile of; none if it is not a quantile. */
  private static TreeSet<Double> edges(MetricHistory history, Learned learned, Steps windows)
      throws IOException, InterruptedException {
    List<String> buckets =
        Expressions.calls(PromqlParser.parse(learned.query()), "histogram_quantile"::equals)
            .flatMap(WatchedRules::selectors)
            .toList();
    TreeSet<Double> edges = new TreeSet<>();
    for (String bucket : buckets) {
      for (Labels labels : history.values("count by (le) (" + bucket + ")", windows).keySet()) {
        Series.edge(labels.get("le")).stream().filter(Double::isFinite).forEach(edges::add);
      }
    }
    return edges;
  }

  /** The day on which a window lies that ends at a moment. */
  static String dayOf(long endMillis) {
    return LocalDate.ofEpochDay(Math.floorDiv(endMillis - 1, 24 * HOUR)).toString();
  }

  /** The first moment of a day. */
  static long begin(String day) {
    return LocalDate.parse(day).toEpochDay() * 24 * HOUR;
  }

  /** Days from one on, together. */
  Day since(int first) {
    List<Day> some = days.subList(first, days.size());
    int windows = some.stream().mapToInt(Day::windows).sum();
    int hours = some.stream().mapToInt(Day::hours).sum();
    double above = mean(some, Day::above);
    return new Day(
        some.getFirst().day(), windows, hours, above, mean(some, Day::unclear),
        mean(some, Day::aboveThreshold), Users.exceeds(above, hours, allowed));
  }

  private static double mean(List<Day> days, ToDoubleFunction<Day> share) {
    return days.stream().mapToDouble(day -> share.applyAsDouble(day) * day.windows()).sum()
        / days.stream().mapToInt(Day::windows).sum();
  }

  /** Whether the buckets leave open whether the signal is inside. */
  boolean isTooCoarse() {
    return whole().above() <= allowed && whole().above() + whole().unclear() > allowed;
  }

  /** Every day together. */
  public Day whole() {
    return since(0);
  }

  /**
   * The first of the days since which the signal is outside, to this day; -1 where it is inside. A
   * day of which there is too little belongs to the one before.
   */
  int outsideSince() {
    int first = -1;
    for (int i = days.size() - 1; i >= 0; i--) {
      Day day = days.get(i);
      if (day.isJudged() && !day.isOutside()) {
        break;
      }
      first = day.isOutside() ? i : first;
    }
    return first;
  }

  /** Whether it is outside to this day. */
  boolean isOutside() {
    return outsideSince() >= 0;
  }

  /** All days since it is outside; every day where it is inside. */
  Day latest() {
    return since(Math.max(0, outsideSince()));
  }

  /** The first day since which any of some is outside; empty where all are inside. */
  static Optional<String> firstOutside(List<Envelope> all) {
    return all.stream()
        .filter(Envelope::isOutside)
        .map(one -> one.latest().day())
        .min(String::compareTo);
  }

  /** Days on which it was outside, though it is inside again. */
  List<Day> excursions() {
    return isOutside() ? List.of() : days.stream().filter(Day::isOutside).toList();
  }
}
