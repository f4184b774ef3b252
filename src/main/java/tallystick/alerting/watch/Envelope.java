package tallystick.alerting.watch;

import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.BetaDistribution;
import tallystick.alerting.watch.MetricHistory.Steps;
import tallystick.promql.Expression;
import tallystick.promql.Expressions;
import tallystick.promql.PromqlParser;
import tallystick.promql.StoredSeries;

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
  private static final double PRIOR = 0.5; // Jeffreys' prior

  /** A shorter look at a day is a look at one time of it. */
  private static final int LEAST_HOURS = 3;

  /** From here on a day is called outside; one day in four that is not looks like it. */
  private static final double LIKELY = 0.75; // Strength.LIKELY_FROM

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
      return isJudged() && outside >= LIKELY;
    }
  }

  public Envelope {
    days = List.copyOf(days);
  }

  /** One for each series of the signal that had a value while its users were well. */
  static List<Envelope> read(
      MetricHistory history, String alert, WatchedAlert.Learned learned, Users users)
      throws IOException, InterruptedException {
    Steps windows = users.windows();
    double allowed =
        Math.max(LEAST_ALLOWED, 1 - Math.pow(CHANCE, 1.0 / Math.max(1, learned.windows())));
    TreeSet<Double> edges = edges(history, learned, windows);
    List<Envelope> all = new ArrayList<>();
    for (StoredSeries series : history.values(learned.query(), windows)) {
      Map<String, Sum> sums = new TreeMap<>();
      for (int i = 0; i < series.size(); i++) {
        int window = windows.index(series.millis(i));
        if (users.state(window, series.labels()) == Users.State.WELL
            && !Double.isNaN(series.value(i))) {
          sums.computeIfAbsent(dayOf(series.millis(i)), any -> new Sum())
              .add(series.millis(i), series.value(i), edges, learned);
        }
      }
      List<Day> days = new ArrayList<>();
      sums.forEach((day, sum) -> days.add(sum.day(day, allowed)));
      if (!days.isEmpty()) {
        all.add(
            new Envelope(
                alert, learned.word(), series.labels().withoutName().toString(),
                learned.threshold(), learned.most(), learned.windows(), allowed, days));
      }
    }
    return all;
  }

  /** Finite edges of the buckets that the signal is a quantile of; none if it is no quantile. */
  private static TreeSet<Double> edges(
      MetricHistory history, WatchedAlert.Learned learned, Steps windows)
      throws IOException, InterruptedException {
    List<String> buckets =
        Expressions.all(PromqlParser.parse(learned.query()), Expression.Call.class)
            .filter(call -> call.function().equals("histogram_quantile"))
            .flatMap(WatchedRules::selectors)
            .toList();
    TreeSet<Double> edges = new TreeSet<>();
    for (String bucket : buckets) {
      for (StoredSeries series : history.values("count by (le) (" + bucket + ")", windows)) {
        String edge = series.labels().get("le");
        if (!edge.isEmpty() && !edge.equals("+Inf")) {
          edges.add(Double.parseDouble(edge));
        }
      }
    }
    return edges;
  }

  /** The day on which a window lies that ends at a moment. */
  static String dayOf(long endMillis) {
    return LocalDate.ofEpochDay(Math.floorDiv(endMillis - 1, 86_400_000L)).toString();
  }

  /** The first moment of a day. */
  static long begin(String day) {
    return LocalDate.parse(day).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /** Windows as they are counted. */
  private static final class Sum {
    private final Set<Long> hours = new HashSet<>();
    private int windows;
    private int above;
    private int unclear;
    private int aboveThreshold;

    void add(
        long endMillis, double value, TreeSet<Double> edges, WatchedAlert.Learned learned) {
      double least =
          edges.isEmpty() ? value : Objects.requireNonNullElse(edges.floor(value), 0.0);
      hours.add((endMillis - 1) / 3_600_000);
      windows++;
      if (value > learned.most()) {
        above += least >= learned.most() ? 1 : 0;
        unclear += least < learned.most() ? 1 : 0;
      }
      aboveThreshold += value > learned.threshold() ? 1 : 0;
    }

    Day day(String day, double allowed) {
      double share = above / (double) windows;
      return new Day(
          day, windows, hours.size(), share, unclear / (double) windows,
          aboveThreshold / (double) windows,
          outside(share, hours.size(), allowed));
    }
  }

  /** How probable it is that a share, seen in so many hours, is more than allowed. */
  static double outside(double share, double hours, double allowed) {
    return 1
        - new BetaDistribution(null, share * hours + PRIOR, (1 - share) * hours + PRIOR)
            .cumulativeProbability(allowed);
  }

  /** Days from one on, together. */
  Day since(int first) {
    List<Day> some = days.subList(first, days.size());
    int windows = some.stream().mapToInt(Day::windows).sum();
    int hours = some.stream().mapToInt(Day::hours).sum();
    double above = mean(some, Day::above);
    return new Day(
        some.getFirst().day(), windows, hours, above, mean(some, Day::unclear),
        mean(some, Day::aboveThreshold), outside(above, hours, allowed));
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

  /** Days on which it was outside, though it is inside again. */
  List<Day> excursions() {
    return outsideSince() < 0 ? days.stream().filter(Day::isOutside).toList() : List.of();
  }
}
