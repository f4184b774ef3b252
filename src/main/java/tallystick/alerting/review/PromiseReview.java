package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.alerting.backtest.UserStretches.Stretch;
import tallystick.alerting.backtest.UserStretches;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.alerting.rules.AlertExpectation;
import tallystick.alerting.rules.RuleSet;
import tallystick.alerting.rules.SufferingPredicate;
import tallystick.promql.Firing;
import tallystick.promql.Labels;
import tallystick.promql.PromTime;
import tallystick.promql.PrometheusVersion;
import tallystick.scenario.Counted;

/**
 * What the alerts of a rule set promised the users of one recorded run. What was promised, and
 * when, follows from the client's requests alone; our own replay only says what was kept.
 *
 * @param run its name
 * @param promises one for each alert and each stretch in which users were well, or suffered
 * @param untested stretches that no promise covers, alert by alert, with the number that is missing
 * @param blunt alerts whose promises to fire twice the threshold would keep as well
 */
public record PromiseReview(
    String run, List<Tested> promises, List<String> untested, List<String> blunt) {
  private static final long EVERY_MILLIS = 2 * 60_000L; // docs/alerts.md, what is promised

  /**
   * One promise. Times are milliseconds after the first sample of the test.
   *
   * @param alert who promised
   * @param fires whether it must fire; otherwise it must be silent
   * @param stretch words for what users lived through
   * @param moments evaluations at which it must
   * @param labels what must fire; empty where several series could
   * @param broken how it was broken; empty if it was kept
   */
  public record Tested(
      String alert,
      boolean fires,
      String stretch,
      List<Long> moments,
      Optional<Labels> labels,
      Optional<String> broken) {
    public Tested {
      moments = List.copyOf(moments);
    }

    private boolean isKeptBy(RunOnGrid grid) {
      return moments.stream()
          .allMatch(at -> grid.firing(PrometheusVersion.V2_42, alert, at) > 0);
    }

    /** One line for a reader, for a broken one with the reason. */
    public String sentence() {
      return alert + ", " + stretch + broken.map(how -> ": " + how).orElse("");
    }
  }

  public PromiseReview {
    promises = List.copyOf(promises);
    untested = List.copyOf(untested);
    blunt = List.copyOf(blunt);
  }

  /**
   * The promises of a rule set on a run.
   *
   * @param client its requests in windows of one evaluation
   */
  static PromiseReview of(
      RuleSet set,
      RunOnGrid grid,
      UserStretches users,
      ClientCounts client,
      List<String> grouping) {
    List<Tested> promises = new ArrayList<>();
    List<String> untested = new ArrayList<>();
    Set<Labels> groups = grid.groups(grouping);
    for (RuleSet.Rule rule : set.alerts()) {
      if (rule.promise().isSilent()) {
        Promised promised = new Promised(rule, grid, groups, promises, untested);
        promised.silence(users.healthy());
        promised.firing(users.suffering());
        promised.burdened(client);
      }
    }
    return new PromiseReview(grid.run(), promises, untested, List.of());
  }

  /**
   * The same, naming the alerts that the run cannot tell from others with higher thresholds.
   *
   * @param raised the run under those
   * @param alerts whose thresholds were raised
   */
  PromiseReview beside(RunOnGrid raised, List<String> alerts) {
    List<String> lines = new ArrayList<>();
    for (String alert : alerts) {
      List<Tested> fires =
          kept().stream().filter(each -> each.fires() && each.alert().equals(alert)).toList();
      boolean isTold = fires.stream().anyMatch(each -> !each.isKeptBy(raised));
      if (!fires.isEmpty() && !isTold) {
        lines.add(
            "%s: would keep its %s at twice its threshold too; add a step just below capacity"
                .formatted(
                    alert,
                    Counted.of(fires.size(), "promise to fire", "promises to fire")));
      }
    }
    return new PromiseReview(run, promises, untested, lines);
  }

  /** Those that held. */
  public List<Tested> kept() {
    return promises.stream().filter(promise -> promise.broken().isEmpty()).toList();
  }

  /** Those that did not. */
  public List<Tested> broken() {
    return promises.stream().filter(promise -> promise.broken().isPresent()).toList();
  }

  /** For example {@code 14 of 15 promises kept: 9 of 9 to be silent, 5 of 6 to fire}. */
  public String sentence() {
    return "%s of %s promises kept: %s to be silent while users were well, %s to fire in time"
        .formatted(kept().size(), promises.size(), counted(false), counted(true));
  }

  private String counted(boolean fires) {
    long all = promises.stream().filter(promise -> promise.fires() == fires).count();
    long kept = kept().stream().filter(promise -> promise.fires() == fires).count();
    return kept + " of " + all;
  }

  /** The promises of one alert, added to those of the others. */
  private record Promised(
      RuleSet.Rule rule,
      RunOnGrid grid,
      Set<Labels> groups,
      List<Tested> promises,
      List<String> untested) {
    private void silence(List<Stretch> healthy) {
      long settle = rule.promise().settleMillis(rule.keepMillis(), grid.stepMillis());
      test(
          healthy,
          stretch ->
              tested(
                  false, words("users well", stretch),
                  moments(
                      stretch.fromMillis() + (stretch.first() ? 0 : settle), stretch.toMillis()),
                  this::silenceBroken),
          without ->
              ("%s can stay on for %s after an incident: %s of %s healthy stretches too short"
                      + " to test its silence")
                  .formatted(rule.name(), PromTime.text(settle), without, healthy.size()));
    }

    private void firing(List<Stretch> suffering) {
      if (!rule.promise().firesAlways()) {
        if (rule.promise().burdens().isEmpty()) {
          untested.add(
              rule.name() + " promises no delay: its condition needs more than users' suffering");
        }
        return;
      }
      long least = AlertExpectation.leastMillis(rule.holdMillis(), grid.stepMillis());
      long delay = rule.promise().delayMillis(rule.holdMillis(), grid.stepMillis());
      test(
          suffering,
          stretch -> {
            long due = onGrid(stretch.fromMillis() + delay);
            boolean isDue = stretch.lengthMillis() >= least && due <= grid.endMillis();
            return tested(
                true, words("users suffer", stretch), isDue ? List.of(due) : List.of(),
                at -> firingBroken(at, onGrid(stretch.fromMillis())));
          },
          without ->
              ("%s must fire within %s when users suffer for %s or more: %s of %s episodes too"
                      + " short to test it, or cut by the run's end")
                  .formatted(
                      rule.name(), PromTime.text(delay), PromTime.text(least), without,
                      suffering.size()));
    }

    /** While a burden lasts it must fire, from the promised delay on. */
    private void burdened(ClientCounts client) {
      String heavy = SufferingPredicate.words(rule.promise().burdens());
      long delay = AlertExpectation.burdenDelayMillis(rule.holdMillis(), grid.stepMillis());
      List<ClientCounts.Stretch> stretches =
          SufferingPredicate.stretches(rule.promise().burdens(), client);
      test(
          stretches,
          stretch ->
              tested(
                  true, words(heavy, stretch.fromMillis(), stretch.toMillis()),
                  moments(
                      stretch.fromMillis() + delay,
                      stretch.toMillis() - AlertExpectation.ON_THEIR_WAY_MILLIS),
                  at -> firingBroken(at, onGrid(stretch.fromMillis()))),
          without ->
              "%s must fire within %s when %s: %s of %s times this was over sooner"
                  .formatted(
                      rule.name(), PromTime.text(delay), heavy, without, stretches.size()));
    }

    /** Adds a promise for each stretch that has a moment to test it, and says how many have not. */
    private <T> void test(
        List<T> stretches, Function<T, Tested> promise, LongFunction<String> untestedWords) {
      List<Tested> all = stretches.stream().map(promise).toList();
      all.stream().filter(one -> !one.moments().isEmpty()).forEach(promises::add);
      long without = all.stream().filter(one -> one.moments().isEmpty()).count();
      if (without > 0) {
        untested.add(untestedWords.apply(without));
      }
    }

    /** A promise that is broken where it is at any of its moments. */
    private Tested tested(
        boolean fires, String words, List<Long> moments, LongFunction<Optional<String>> broken) {
      return new Tested(
          rule.name(), fires, words, moments, fires ? labels() : Optional.empty(),
          moments.stream().flatMap(at -> broken.apply(at).stream()).findFirst());
    }

    /** Evaluations within a time of the run, two minutes apart. */
    private List<Long> moments(long fromRunMillis, long toRunMillis) {
      long every = Math.max(1, EVERY_MILLIS / grid.stepMillis()) * grid.stepMillis();
      long to = Math.min(grid.endMillis(), toRunMillis - grid.startMillis());
      List<Long> moments = new ArrayList<>();
      for (long at = onGrid(fromRunMillis); at <= to; at += every) {
        moments.add(at);
      }
      return moments;
    }

    private Optional<String> silenceBroken(long at) {
      return versions().anyMatch(version -> grid.firing(version, rule.name(), at) > 0)
          ? Optional.of("fires at " + RunTimeline.clock(at))
          : Optional.empty();
    }

    private Optional<Labels> labels() {
      if (groups.size() != 1) {
        return Optional.empty();
      }
      Labels labels = groups.iterator().next().with(rule.labels());
      return Optional.of(
          labels
              .with(Labels.NAME, "ALERTS")
              .with(Map.of("alertname", rule.name(), "alertstate", "firing")));
    }

    private Optional<String> firingBroken(long due, long begin) {
      if (versions().allMatch(version -> grid.firing(version, rule.name(), due) > 0)) {
        return Optional.empty();
      }
      Set<String> found = new LinkedHashSet<>();
      for (PrometheusVersion version : PrometheusVersion.values()) {
        grid.firings(version, rule.name()).stream()
            .filter(firing -> firing.resolvedMillis() > begin)
            .findFirst()
            .map(Firing::firedMillis)
            .ifPresent(at -> found.add(RunTimeline.clock(at)));
      }
      return Optional.of(
          "does not fire at "
              + RunTimeline.clock(due)
              + (found.isEmpty() ? " or later" : "; fires from " + String.join(" or ", found)));
    }

    private static Stream<PrometheusVersion> versions() {
      return Arrays.stream(PrometheusVersion.values());
    }

    private String words(String what, Stretch stretch) {
      return words(what, stretch.fromMillis(), stretch.toMillis())
          + " (%s of %s requests miss the objective)"
              .formatted(stretch.observed() - stretch.good(), stretch.observed());
    }

    private String words(String what, long fromRunMillis, long toRunMillis) {
      return "%s from %s to %s"
          .formatted(
              what, RunTimeline.clock(Math.max(0, fromRunMillis - grid.startMillis())),
              RunTimeline.clock(toRunMillis - grid.startMillis()));
    }

    /** The first evaluation not before a moment of the run. */
    private long onGrid(long runMillis) {
      long after = Math.max(0, runMillis - grid.startMillis());
      return (after + grid.stepMillis() - 1) / grid.stepMillis() * grid.stepMillis();
    }
  }
}
