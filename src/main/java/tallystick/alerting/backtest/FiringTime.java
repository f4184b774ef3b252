package tallystick.alerting.backtest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tallystick.promql.Firing;

/**
 * How long an alert fired while users suffered, and while they were well.
 *
 * @param suffering seconds in which users suffered
 * @param covered those of them in which it fired
 * @param healthy seconds in which users were well, or nobody knows better. What is neither health
 *     nor proven suffering, because some wait past the limit, counts nowhere
 * @param excused those of them in which it fired up to five minutes early, or no longer than its
 *     tail after users were well again
 * @param wrong those in which it fired otherwise. A firing that is not excused for one stretch of
 *     health is for none: what always fires is right by chance
 * @param resolve from the end of suffering to the end of the firing, each time that the run saw
 *     both, ascending
 */
public record FiringTime(
    double suffering,
    double covered,
    double healthy,
    double excused,
    double wrong,
    List<Double> resolve) {
  /** Nothing was looked at. */
  public static final FiringTime NONE = new FiringTime(0, 0, 0, 0, 0, List.of());

  public FiringTime {
    resolve = resolve.stream().sorted().toList();
  }

  /** A time of a run, in milliseconds. */
  private record Span(long from, long to) {
    private double seconds() {
      return (to - from) / 1e3;
    }

    private Span within(Span other) {
      long begin = Math.max(from, other.from);
      return new Span(begin, Math.max(begin, Math.min(to, other.to)));
    }
  }

  static FiringTime of(String alert, RunTimeline run) {
    Span whole = new Span(run.startMillis(), run.endMillis());
    Users users =
        new Users(
            spans(run.episodes(), run, whole), spans(run.unclear(), run, whole), whole);
    double seconds = seconds(users.suffering(), whole);
    double healthy = Math.max(0, whole.seconds() - seconds - seconds(users.unclear(), whole));
    FiringTime time = new FiringTime(seconds, 0, healthy, 0, 0, List.of());
    for (Span firing : firings(alert, run, whole)) {
      time = time.and(firing, users, run.of(alert).tailMillis());
    }
    return time;
  }

  /** When users suffered, and when nobody can tell, of a whole run. */
  private record Users(List<Span> suffering, List<Span> unclear, Span whole) {}

  private static List<Span> spans(List<Episode> episodes, RunTimeline run, Span whole) {
    return episodes.stream()
        .map(one -> new Span(run.startOf(one), one.endMillis()))
        .map(span -> span.within(whole))
        .toList();
  }

  private static double seconds(List<Span> spans, Span within) {
    return spans.stream().mapToDouble(each -> each.within(within).seconds()).sum();
  }

  private static List<Span> firings(String alert, RunTimeline run, Span whole) {
    List<Span> spans = new ArrayList<>();
    run.firings(alert).stream()
        .sorted(Comparator.comparingLong(Firing::firedMillis))
        .map(firing -> new Span(firing.firedMillis(), run.endOf(firing)).within(whole))
        .forEach(
            span -> {
              boolean goesOn = !spans.isEmpty() && span.from() <= spans.getLast().to();
              Span first = goesOn ? spans.removeLast() : span;
              spans.add(new Span(first.from(), Math.max(first.to(), span.to())));
            });
    return spans;
  }

  private FiringTime and(Span firing, Users users, long tailMillis) {
    List<Span> suffering = users.suffering();
    double within = seconds(suffering, firing);
    double outside = Math.max(0, firing.seconds() - within - seconds(users.unclear(), firing));
    boolean isExcused = true;
    List<Double> ends = new ArrayList<>(resolve);
    for (int i = -1; i < suffering.size(); i++) {
      long before = i < 0 ? Long.MIN_VALUE / 2 : suffering.get(i).to();
      long after = i + 1 < suffering.size() ? suffering.get(i + 1).from() : Long.MAX_VALUE / 2;
      Span piece = firing.within(new Span(before, Math.max(before, after)));
      if (piece.seconds() > 0) {
        isExcused &=
            piece.to() <= before + tailMillis
                || piece.from() >= after - Episode.SLACK_MILLIS
                || before + tailMillis >= after - Episode.SLACK_MILLIS;
      }
      boolean isSeen = firing.to() < users.whole().to();
      boolean resolves = i >= 0 && isSeen && firing.from() < before && firing.to() >= before;
      if (resolves && firing.to() < after) {
        ends.add((firing.to() - before) / 1e3);
      }
    }
    return new FiringTime(
        suffering(), covered + within, healthy, excused + (isExcused ? outside : 0),
        wrong + (isExcused ? 0 : outside), ends);
  }

  FiringTime plus(FiringTime other) {
    List<Double> ends = new ArrayList<>(resolve);
    ends.addAll(other.resolve);
    return new FiringTime(
        suffering + other.suffering, covered + other.covered, healthy + other.healthy,
        excused + other.excused, wrong + other.wrong, ends);
  }

  /** Share of the time in which it fired that users suffered; NaN if none is to be judged. */
  public double precision() {
    return covered / (covered + wrong);
  }

  /** Share of the suffering in which it fired; NaN without any. */
  public double coverage() {
    return covered / suffering;
  }

  /** Share of health in which it fired, excused or not; NaN without health. */
  public double inHealth() {
    return (excused + wrong) / healthy;
  }

  /** How long it took to resolve in a share of the times; NaN without any. */
  public double resolveSeconds(double level) {
    return atLevel(resolve, level);
  }

  /** What a share of ascending values does not exceed; NaN without any. */
  static double atLevel(List<Double> values, double level) {
    return values.isEmpty()
        ? Double.NaN
        : values.get(Math.max(0, (int) Math.ceil(level * values.size()) - 1));
  }
}
