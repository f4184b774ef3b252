package tallystick.alerting.review;

import java.util.List;
import java.util.Map;
import tallystick.alerting.backtest.UserStretches;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;
import tallystick.runrecord.RunRows;

/**
 * One recorded run as a test of rules.
 *
 * @param set the rules
 * @param grid the run as promtool's input, and our replay of it
 * @param promises what the alerts promised its users
 */
public record RuleTest(RuleSet set, RunOnGrid grid, PromiseReview promises) {
  private static final double TWICE = 2; // a threshold as wrong as that is told

  /**
   * A test over one run that also says which thresholds it could not tell from twice as high ones.
   *
   * @param set the rules of {@code derived}
   */
  static RuleTest of(
      DerivedAlerts derived, RuleSet set, RunRows run, Map<String, String> external) {
    RuleTest test = of(set, run, derived.request(), external);
    RuleSet twice = RuleBook.of(derived.scaled(TWICE));
    List<String> raised =
        set.alerts().stream()
            .filter(
                rule ->
                    twice.alerts().stream()
                        .anyMatch(
                            other ->
                                other.name().equals(rule.name())
                                    && !other.expression().equals(rule.expression())))
            .map(RuleSet.Rule::name)
            .toList();
    RunOnGrid replayed = RunOnGrid.of(twice, run, external);
    return new RuleTest(set, test.grid(), test.promises().beside(replayed, raised));
  }

  /**
   * A test over one run.
   *
   * @param request what the rules were asked for: the objective judges the users
   * @param external labels that the production Prometheus adds, for example the cluster
   */
  static RuleTest of(
      RuleSet set, RunRows run, AlertRequest request, Map<String, String> external) {
    RunOnGrid grid = RunOnGrid.of(set, run, external);
    UserStretches users = UserStretches.of(run, request.objective());
    ClientCounts client = ClientCounts.of(run, request.objective(), grid.stepMillis());
    return new RuleTest(
        set, grid, PromiseReview.of(set, grid, users, client, request.grouping()));
  }
}
