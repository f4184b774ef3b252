package tallystick.alerting.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.Backtest;
import tallystick.alerting.derivation.SignalQuery;
import tallystick.analysis.prometheus.PrometheusVersion;
import tallystick.analysis.prometheus.RuleGroup;
import tallystick.plan.Phase;

/**
 * Derived alerts beside what users lived through: on the runs they were derived from, and on runs
 * and mixes left out.
 *
 * @param derived what the runs allow to say
 * @param rules the rules of it
 * @param runs when users suffered and when each alert fired, run by run
 * @param judgements how the alerts did, on the same runs first
 */
public record AlertReview(
    DerivedAlerts derived, RuleSet rules, List<ReviewedRun> runs, List<Judgement> judgements) {
  private static final Map<String, String> CLUSTER = Map.of("cluster", "test");
  private static final int LEAST_RUNS_TO_LEAVE_OUT = 3;

  /**
   * One run of the review.
   *
   * @param steps its measured steps
   * @param timeline what happened in it
   * @param heldOut whether the alerts shown were derived without it
   */
  public record ReviewedRun(
      List<Phase> steps, Backtest.RunTimeline timeline, boolean heldOut) {
    public ReviewedRun {
      steps = List.copyOf(steps);
    }
  }

  /**
   * How the alerts did under one condition.
   *
   * @param words the condition, for example {@code each run left out}
   */
  public record Judgement(String words, List<AlertScore> scores) {
    public Judgement {
      scores = List.copyOf(scores);
    }
  }

  public AlertReview {
    runs = List.copyOf(runs);
    judgements = List.copyOf(judgements);
  }

  /**
   * Derives from runs and reviews the result. Where there are three runs or more each is replayed
   * with the alerts the others gave; where there are two mixes or more, each mix as well.
   *
   * @throws IllegalArgumentException if the engine exposes no histogram for the objective
   */
  public static AlertReview of(List<DerivationRun> runs, AlertRequest request) {
    AlertDerivation derivation = new AlertDerivation(runs, request);
    DerivedAlerts derived = derivation.of(runs);
    RuleSet rules = RuleBook.of(derived);
    List<RuleGroup> groups = rules.evaluable();
    Folds folds = new Folds(derivation, runs, request);
    List<Backtest.RunTimeline> same =
        runs.stream().map(run -> replay(groups, run, request)).toList();
    List<Judgement> judgements = new ArrayList<>();
    judgements.add(new Judgement("on the same runs", Backtest.scores(groups, same)));
    List<Backtest.RunTimeline> shown = same;
    boolean leavesOut = runs.size() >= LEAST_RUNS_TO_LEAVE_OUT && !rules.alerts().isEmpty();
    if (leavesOut) {
      shown = folds.replayed(run -> run.rows().manifest().runId());
      judgements.add(new Judgement("each run left out", Backtest.scores(groups, shown)));
    }
    if (leavesOut && derived.validity().mixes() > 1) {
      List<Backtest.RunTimeline> mixes = folds.replayed(DerivationRun::mix);
      judgements.add(new Judgement("each mix left out", Backtest.scores(groups, mixes)));
    }
    return new AlertReview(derived, rules, reviewed(runs, shown, leavesOut), judgements);
  }

  /**
   * Reviews rules over one run as they are, beside what the run allows to derive.
   *
   * @param others rules to look at, beside the derived ones
   */
  public static AlertReview ofOne(
      DerivationRun run, AlertRequest request, Function<SignalQuery, List<RuleGroup>> others) {
    DerivedAlerts derived = AlertDerivation.derive(List.of(run), request);
    RuleSet rules = RuleBook.of(derived);
    List<RuleGroup> groups = new ArrayList<>(others.apply(derived.query()));
    groups.addAll(rules.evaluable());
    List<Backtest.RunTimeline> shown = List.of(replay(groups, run, request));
    return new AlertReview(
        derived,
        rules,
        reviewed(List.of(run), shown, false),
        List.of(new Judgement("on this run", Backtest.scores(groups, shown))));
  }

  private static List<ReviewedRun> reviewed(
      List<DerivationRun> runs, List<Backtest.RunTimeline> timelines, boolean heldOut) {
    List<ReviewedRun> reviewed = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      List<Phase> steps =
          runs.get(i).rows().settings().phases().stream()
              .filter(phase -> !phase.warmup())
              .toList();
      reviewed.add(new ReviewedRun(steps, timelines.get(i), heldOut));
    }
    return reviewed;
  }

  private static Backtest.RunTimeline replay(
      List<RuleGroup> groups, DerivationRun run, AlertRequest request) {
    Backtest.Conditions usual =
        Backtest.Conditions.usual(request.objective(), PrometheusVersion.V2_42);
    return Backtest.replay(
        groups,
        run.rows(),
        new Backtest.Conditions(
            usual.objective(), usual.scrapeMillis(), usual.evaluationMillis(),
            usual.clientWindowMillis(), usual.version(), CLUSTER));
  }

  /** Each group of runs replayed with the alerts that the other groups gave. */
  private record Folds(
      AlertDerivation derivation, List<DerivationRun> runs, AlertRequest request) {

    List<Backtest.RunTimeline> replayed(Function<DerivationRun, String> group) {
      Map<String, List<RuleGroup>> fitted = new java.util.HashMap<>();
      return runs.stream()
          .map(
              run ->
                  replay(
                      fitted.computeIfAbsent(group.apply(run), left -> without(left, group)),
                      run,
                      request))
          .toList();
    }

    private List<RuleGroup> without(String left, Function<DerivationRun, String> group) {
      List<DerivationRun> others =
          runs.stream().filter(run -> !group.apply(run).equals(left)).toList();
      return RuleBook.of(derivation.of(others)).evaluable();
    }
  }
}
