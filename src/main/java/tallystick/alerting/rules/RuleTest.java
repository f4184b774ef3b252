package tallystick.alerting.rules;

import java.util.Map;
import tallystick.alerting.backtest.UserStretches;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.runrecord.RunRows;

/**
 * One recorded run as a test of rules.
 *
 * @param set the rules
 * @param grid the run as promtool's input, and our replay of it
 * @param promises what the alerts promised its users
 */
public record RuleTest(RuleSet set, RunOnGrid grid, PromiseReview promises) {
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
