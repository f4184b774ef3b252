package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.Backtest;
import tallystick.alerting.backtest.RunTimeline;
import tallystick.alerting.backtest.UserStretches;
import tallystick.alerting.derivation.AlertDerivation;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;
import tallystick.alerting.rules.SharedRules;
import tallystick.plan.Phase;
import tallystick.promql.PrometheusVersion;
import tallystick.promql.RuleGroup;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Objective;

/**
 * Derived alerts beside what users lived through: on the runs they were derived from, on runs and
 * mixes left out, and on ramps.
 *
 * @param derived what the runs allow to say
 * @param rules the rules of it
 * @param runs when users suffered and when each alert fired, run by run
 * @param judgements how the alerts did, on the same runs first
 * @param lead how early anything was
 * @param test a run as a test of the rules; empty where a single run is only looked at
 */
public record AlertReview(
    DerivedAlerts derived,
    RuleSet rules,
    List<ReviewedRun> runs,
    List<ConditionScore> judgements,
    LeadReview lead,
    Optional<RuleTest> test) {
  /** Of two runs the one that is left derives nothing: a threshold needs two. */
  private static final int LEAST_RUNS_TO_LEAVE_OUT = 3;

  private static final String SILENCE =
      String.join(", ", RuleBook.ABSENCE)
          + " watch for what is gone or stuck and should find nothing here";
  private static final String OTHERS = "alerts derived from other runs";

  /**
   * One run of the review.
   *
   * @param steps its measured steps
   * @param timeline what happened in it
   * @param source which runs the alerts shown come from
   */
  public record ReviewedRun(List<Phase> steps, RunTimeline timeline, String source) {
    public ReviewedRun {
      steps = List.copyOf(steps);
    }

    static ReviewedRun of(DerivationRun run, RunTimeline timeline, String source) {
      List<Phase> steps =
          run.rows().settings().phases().stream().filter(phase -> !phase.warmup()).toList();
      return new ReviewedRun(steps, timeline, source);
    }
  }

  public AlertReview {
    runs = List.copyOf(runs);
    judgements = List.copyOf(judgements);
  }

  /**
   * Derives from runs of stepped load and reviews the result. Where there are three of them or more
   * each is replayed with the alerts the others gave; where there are two mixes or more, each mix
   * as well. Runs of slowly rising load are replayed with all alerts; nothing is derived from them.
   *
   * @throws IllegalArgumentException if the engine exposes no histogram for the objective
   */
  public static AlertReview of(List<DerivationRun> all, AlertRequest request) {
    return of(all, List.of(), request, List.of(request.objective()));
  }

  /**
   * The same for one of several objectives: alerts that belong to another one are left to it.
   *
   * @param healthy runs whose users should be well, which nothing is derived from
   * @param objectives the request's own among them
   */
  public static AlertReview of(
      List<DerivationRun> all,
      List<DerivationRun> healthy,
      AlertRequest request,
      List<Objective> objectives) {
    List<DerivationRun> ramps = all.stream().filter(DerivationRun::isRamp).toList();
    List<DerivationRun> rest = all.stream().filter(run -> !ramps.contains(run)).toList();
    List<DerivationRun> runs = rest.isEmpty() ? all : rest;
    AlertDerivation derivation = new AlertDerivation(runs, request);
    DerivedAlerts derived = derivation.of(runs);
    RuleSet rules = SharedRules.of(RuleBook.of(derived), request, objectives);
    List<RuleGroup> groups = rules.evaluable();
    FoldReview folds =
        new FoldReview(
            derivation, runs, rules, (run, others) -> replay(run, others, request));
    List<RunTimeline> shown = replay(runs, groups, request);
    List<ConditionScore> judgements = new ArrayList<>();
    judgements.add(
        new ConditionScore("on the same runs", Backtest.scores(groups, shown), List.of(SILENCE)));
    boolean leavesOut = runs.size() >= LEAST_RUNS_TO_LEAVE_OUT && !rules.alerts().isEmpty();
    List<AlertScore> heldOut = List.of();
    if (leavesOut) {
      FoldReview.Folded byRun =
          folds.leavingOut(ConditionScore.RUN_LEFT_OUT, run -> run.rows().manifest().runId());
      shown = byRun.timelines();
      judgements.add(byRun.judgement());
      heldOut = byRun.judgement().scores();
    }
    if (leavesOut && derived.validity().mixes() > 1) {
      judgements.add(folds.leavingOut("each mix left out", DerivationRun::mix).judgement());
    }
    String source =
        leavesOut ? OTHERS : "in sample: the alerts shown were derived from this run too";
    List<ReviewedRun> reviewed = new ArrayList<>(reviewed(runs, shown, source));
    List<RuleGroup> withSignals = new ArrayList<>(groups);
    withSignals.add(LeadReview.signals(derived));
    List<RunTimeline> rising = replay(ramps, withSignals, request);
    if (!ramps.isEmpty()) {
      reviewed.addAll(reviewed(ramps, rising, OTHERS));
    }
    judgements.addAll(unseen(groups, rising, replay(healthy, groups, request)));
    LeadReview lead = LeadReview.of(derived, rules, rising, heldOut);
    return new AlertReview(
        derived,
        noted(rules.headed(header(runs, lead)), judgements),
        reviewed,
        judgements.stream().map(judgement -> noted(judgement, rules)).toList(),
        lead,
        Optional.of(test(derived, rules, all)));
  }

  /** Reviews over one run what it allows to derive; the rules are replayed as they are. */
  public static AlertReview ofOne(DerivationRun run, AlertRequest request) {
    DerivedAlerts derived = AlertDerivation.derive(List.of(run), request);
    RuleSet rules = RuleBook.of(derived);
    List<RuleGroup> groups = rules.evaluable();
    List<RunTimeline> shown = List.of(replay(run, groups, request));
    LeadReview lead = LeadReview.of(derived, rules, List.of(), List.of());
    return new AlertReview(
        derived,
        rules.headed(lead.header()),
        reviewed(List.of(run), shown, "replayed"),
        List.of(
            new ConditionScore("on this run", Backtest.scores(groups, shown), List.of())),
        lead,
        Optional.empty());
  }

  private static List<ReviewedRun> reviewed(
      List<DerivationRun> runs, List<RunTimeline> timelines, String source) {
    List<ReviewedRun> reviewed = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      reviewed.add(ReviewedRun.of(runs.get(i), timelines.get(i), source));
    }
    return reviewed;
  }

  private static List<String> header(List<DerivationRun> runs, LeadReview lead) {
    List<String> lines =
        new ArrayList<>(
            runs.stream()
                .filter(DerivationRun::moved)
                .map(run -> run.rows().manifest().runId())
                .map(run -> run + " met another engine: claims about load leave it out")
                .toList());
    lines.addAll(lead.header());
    return lines;
  }

  /** How the alerts did on ramps and in health, as far as there are any. */
  private static List<ConditionScore> unseen(
      List<RuleGroup> groups, List<RunTimeline> rising, List<RunTimeline> healthy) {
    List<ConditionScore> judgements = new ArrayList<>();
    if (!rising.isEmpty()) {
      judgements.add(
          new ConditionScore(
              "on ramps, which nothing was derived from", Backtest.scores(groups, rising),
              List.of()));
    }
    if (!healthy.isEmpty()) {
      judgements.add(
          new ConditionScore(ConditionScore.HEALTH, Backtest.scores(groups, healthy), List.of()));
    }
    return judgements;
  }

  private static RuleSet noted(RuleSet rules, List<ConditionScore> judgements) {
    return rules.noted(
        rule -> MeasuredRecall.evidence(rule, judgements),
        rule -> AlertStrength.notes(rule, judgements));
  }

  /** The same with a note for each alert that finds too little. */
  private static ConditionScore noted(ConditionScore judgement, RuleSet rules) {
    List<String> all = new ArrayList<>(judgement.notes());
    all.addAll(MeasuredRecall.notes(rules, judgement.scores()));
    return new ConditionScore(judgement.words(), judgement.scores(), all);
  }

  private static RuleTest test(DerivedAlerts derived, RuleSet rules, List<DerivationRun> all) {
    AlertRequest request = derived.request();
    return RuleTest.of(derived, rules, telling(all, request.objective()), external(request));
  }

  /** The run whose users were well and suffered, both for the longest: it tests most promises. */
  private static RunRows telling(List<DerivationRun> runs, Objective objective) {
    return runs.stream()
        .map(DerivationRun::rows)
        .max(Comparator.comparingLong(rows -> told(UserStretches.of(rows, objective))))
        .orElseThrow();
  }

  private static long told(UserStretches users) {
    return Math.min(millis(users.healthy()), millis(users.suffering()));
  }

  private static long millis(List<UserStretches.Stretch> stretches) {
    return stretches.stream().mapToLong(UserStretches.Stretch::lengthMillis).sum();
  }

  private static List<RunTimeline> replay(
      List<DerivationRun> runs, List<RuleGroup> groups, AlertRequest request) {
    return runs.stream().map(run -> replay(run, groups, request)).toList();
  }

  private static RunTimeline replay(
      DerivationRun run, List<RuleGroup> groups, AlertRequest request) {
    Backtest.Conditions conditions =
        Backtest.Conditions.usual(
            request.objective(), PrometheusVersion.V2_42, external(request));
    return Backtest.replay(groups, run.rows(), conditions);
  }

  /** Labels that the production Prometheus has and the record has not. */
  private static Map<String, String> external(AlertRequest request) {
    Map<String, String> labels = new HashMap<>(Map.of("cluster", "test", "job", request.job()));
    labels.putAll(request.labels());
    return labels;
  }
}
