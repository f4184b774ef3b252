package tallystick.alerting.writing;

import java.util.List;
import java.util.Optional;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalQuery;
import tallystick.alerting.rules.BurnRate;
import tallystick.alerting.writing.BoardPanel.Query;

/** The objective on the dashboard: what is left of its budget, how fast it burns, who misses it. */
record SloPanels(DerivedAlerts derived, SignalQuery board) {
  private static final String MONTH = "30d";

  /** Three panels; none where no bucket stands for the objective. */
  List<BoardPanel> all() {
    boolean isCounted =
        derived
            .refused(Signal.BAD_RATIO)
            .filter(refused -> refused.code() == RefusalCode.UNRESOLVABLE)
            .isEmpty();
    return isCounted && board.names().family(board.latency()).isPresent()
        ? List.of(left(), burning(), missing())
        : List.of();
  }

  private BoardPanel left() {
    return new BoardPanel(
        BoardPanel.Kind.STAT, word() + " error budget left (30 days)", "percentunit",
        List.of(line("1 - " + burn(MONTH), "")), List.of(0.0), alert("BudgetBurnTicket"),
        objective() + ". A Prometheus that keeps fewer days shows those it has. ");
  }

  private BoardPanel burning() {
    List<Query> queries =
        BurnRate.PAGES.stream()
            .map(rate -> line(burn(rate.longRange()), rate.longRange() + " "))
            .toList();
    List<Double> factors =
        BurnRate.PAGES.stream()
            .map(rate -> rate.usable(derived.request().objective().share()).factor())
            .sorted()
            .toList();
    return new BoardPanel(
        BoardPanel.Kind.LINES, word() + " burn rate", "short", queries, factors,
        alert("BudgetBurnPage"),
        "1 uses up the budget in exactly 30 days. The lines are where the pages begin. ");
  }

  private BoardPanel missing() {
    return new BoardPanel(
        BoardPanel.Kind.LINES, word() + " requests beyond the objective", "percentunit",
        List.of(line(bad("5m"), "5m "), line(bad("1h"), "1h ")), List.of(budget()),
        alert("ObjectiveMissed"), objective() + ". ");
  }

  private static Query line(String expression, String range) {
    return new Query(expression, range + "{{model_name}}", false);
  }

  private Optional<String> alert(String rest) {
    return Optional.of(derived.request().alertName(rest));
  }

  private String word() {
    return derived.request().objective().metric().name();
  }

  private double budget() {
    return rounded(1 - derived.request().objective().share());
  }

  private String objective() {
    return "Objective: " + RuleWords.number(derived.request().objective().share())
        + " of the requests within " + RuleWords.number(derived.edge().seconds()) + " s";
  }

  private String burn(String range) {
    return "(" + bad(range) + ") / " + RuleWords.number(budget());
  }

  private String bad(String range) {
    return board.badRatioOfAny(range).orElseThrow();
  }

  // 1 - 0.99 is not written as 0.010000000000000009.
  private static double rounded(double share) {
    return Math.round(share * 1e9) / 1e9;
  }
}
