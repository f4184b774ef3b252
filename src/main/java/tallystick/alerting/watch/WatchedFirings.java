package tallystick.alerting.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.Episode;
import tallystick.analysis.result.Strength;
import tallystick.promql.Firing;
import tallystick.promql.Labels;

/**
 * What one alert did.
 *
 * @param alert its name
 * @param isJudged whether it should be silent while users are well
 * @param times it fired, instances that fired together as one
 * @param episodes times users suffered for two windows or longer
 * @param found those in which it fired
 * @param healthySeconds in which users were well and it had to be silent
 * @param mostFalsePerDay upper 95 % bound of its false firings in a day of health
 * @param withoutSeries its selectors that find nothing
 */
public record WatchedFirings(
    String alert,
    boolean isJudged,
    List<Time> times,
    int episodes,
    int found,
    double healthySeconds,
    double mostFalsePerDay,
    List<String> withoutSeries) {
  /** What a firing was. */
  public enum Kind {
    /** Users suffered within five minutes of it, or as far back as it looks, all the while. */
    RIGHT,
    /** Users were well for some of it that is farther from any suffering. */
    FALSE,
    /** Users were neither surely well nor surely not. */
    UNCLEAR,
    /** Nobody sent a request. */
    IDLE,
    /** Nothing tells how those users did. */
    NOT_KNOWN,
    /** It watches something else than users. */
    NOT_JUDGED
  }

  /**
   * One time it fired.
   *
   * @param fromMillis UTC
   * @param toMillis end of the firing, or of the range
   * @param lasts whether it still fired there
   * @param wellProbability how probable it is that users were well, farther from suffering than
   *     an alert may fire; NaN without requests there
   */
  public record Time(
      long fromMillis, long toMillis, boolean lasts, String labels, Kind kind,
      double wellProbability) {
    /** How long it fired. */
    public double seconds() {
      return (toMillis - fromMillis) / 1e3;
    }
  }

  public WatchedFirings {
    times = List.copyOf(times);
    withoutSeries = List.copyOf(withoutSeries);
  }

  /** Lays an alert's firings beside what its users lived through. */
  static WatchedFirings of(
      WatchedAlert alert,
      List<Firing> firings,
      Users users,
      Seen seen,
      List<String> withoutSeries) {
    List<Time> times =
        together(firings, users).stream()
            .map(each -> time(alert, each, users, seen))
            .sorted(Comparator.comparingLong(Time::fromMillis))
            .toList();
    int episodes = 0;
    int found = 0;
    for (Users.Group group : users.groups()) {
      for (Episode episode : group.sustained()) {
        episodes++;
        found += firings.stream().anyMatch(one -> finds(one, group, episode)) ? 1 : 0;
      }
    }
    double healthy = users.wellSeconds(alert.memoryMillis());
    int wrong = (int) times.stream().filter(time -> time.kind() == Kind.FALSE).count();
    return new WatchedFirings(
        alert.rule().name(), alert.isJudged(), times, episodes, found, healthy,
        AlertScore.mostPerDay(wrong, healthy), withoutSeries);
  }

  private static Time time(WatchedAlert alert, List<Firing> firings, Users users, Seen seen) {
    long from = firings.getFirst().firedMillis();
    long end = firings.stream().mapToLong(Firing::resolvedMillis).max().orElse(from);
    long to = Math.min(end, seen.toMillis());
    Labels labels = firings.getFirst().labels();
    long cause = from - alert.memoryMillis();
    boolean isNear = users.sufferedNear(labels, cause, to);
    double well = users.wellProbability(labels, isNear ? from : cause, to, alert.memoryMillis());
    return new Time(
        from, to, end > to, labels.with("alertname", "").toString(),
        kind(alert, isNear, well, users.areKnown(labels)), well);
  }

  private static Kind kind(
      WatchedAlert alert, boolean isNear, double well, boolean isKnown) {
    if (!alert.isJudged()) {
      return Kind.NOT_JUDGED;
    }
    if (Strength.of(well) != Strength.TOO_CLOSE) {
      return Kind.FALSE;
    }
    if (isNear) {
      return Kind.RIGHT;
    }
    return !isKnown ? Kind.NOT_KNOWN : Double.isNaN(well) ? Kind.IDLE : Kind.UNCLEAR;
  }

  private static boolean finds(Firing firing, Users.Group group, Episode episode) {
    return group.concerns(firing.labels())
        && episode.touches(firing.firedMillis(), firing.resolvedMillis());
  }

  /** Firings that overlap and are about the same users: one incident, however many replicas. */
  private static List<List<Firing>> together(List<Firing> firings, Users users) {
    Set<String> names =
        users.groups().stream()
            .flatMap(group -> group.labels().values().keySet().stream())
            .collect(Collectors.toSet());
    Map<Map<String, String>, List<List<Firing>>> all = new LinkedHashMap<>();
    for (Firing firing :
        firings.stream().sorted(Comparator.comparingLong(Firing::firedMillis)).toList()) {
      List<List<Firing>> before =
          all.computeIfAbsent(
              names.stream().collect(Collectors.toMap(name -> name, firing.labels()::get)),
              any -> new ArrayList<>());
      if (before.isEmpty()
          || before.getLast().stream()
              .noneMatch(one -> one.resolvedMillis() >= firing.firedMillis())) {
        before.add(new ArrayList<>());
      }
      before.getLast().add(firing);
    }
    return all.values().stream().flatMap(List::stream).toList();
  }

  /** How long it fired in all. */
  double firingSeconds() {
    return times.stream().mapToDouble(Time::seconds).sum();
  }

  /** Times of this kind. */
  public List<Time> of(Kind kind) {
    return times.stream().filter(time -> time.kind() == kind).toList();
  }
}
