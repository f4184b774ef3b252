package tallystick.alerting.writing;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.rules.BurnRate;

/** The objective on the dashboard: what is left of its budget, how fast it burns, who misses it. */
final class SloPanels {
  private static final String MONTH = "30d";

  private final DerivedAlerts derived;
  private final String word;
  private final double budget;

  SloPanels(DerivedAlerts derived) {
    this.derived = derived;
    this.word = derived.request().objective().metric().name();
    this.budget = 1 - derived.request().objective().share();
  }

  /** Three panels; none where no bucket stands for the objective. */
  List<BoardPanel> all() {
    boolean isCounted =
        derived
            .refused(Signal.BAD_RATIO)
            .filter(refused -> refused.code() == RefusalCode.UNRESOLVABLE)
            .isEmpty();
    return derived
        .query()
        .names()
        .family(derived.query().latency())
        .filter(any -> isCounted)
        .map(family -> List.of(left(family), burning(family), missing(family)))
        .orElse(List.of());
  }

  private BoardPanel left(String family) {
    return new BoardPanel(
        BoardPanel.Kind.STAT, word + " error budget left (30 days)", "percentunit",
        List.of(BoardPanel.Query.of("1 - " + burn(family, MONTH), "{{model_name}}")),
        List.of(0.0),
        Optional.of(derived.request().alertName("BudgetBurnTicket")),
        objective() + ". A Prometheus that keeps fewer days shows those it has. ");
  }

  private BoardPanel burning(String family) {
    List<BoardPanel.Query> queries =
        BurnRate.PAGES.stream()
            .map(
                rate ->
                    BoardPanel.Query.of(
                        burn(family, rate.longRange()), rate.longRange() + " {{model_name}}"))
            .toList();
    return new BoardPanel(
        BoardPanel.Kind.LINES, word + " burn rate", "short", queries,
        BurnRate.PAGES.stream()
            .map(rate -> rate.usable(derived.request().objective().share()).factor())
            .sorted()
            .toList(),
        Optional.of(derived.request().alertName("BudgetBurnPage")),
        "1 uses up the budget in exactly 30 days. The lines are where the pages begin. ");
  }

  private BoardPanel missing(String family) {
    return new BoardPanel(
        BoardPanel.Kind.LINES, word + " requests beyond the objective", "percentunit",
        List.of(
            BoardPanel.Query.of(bad(family, "5m"), "5m {{model_name}}"),
            BoardPanel.Query.of(bad(family, "1h"), "1h {{model_name}}")),
        List.of(rounded(budget)),
        Optional.of(derived.request().alertName("ObjectiveMissed")),
        objective() + ". ");
  }

  private String objective() {
    return "Objective: " + RuleWords.number(derived.request().objective().share())
        + " of the requests within " + RuleWords.number(derived.edge().seconds()) + " s";
  }

  private String burn(String family, String range) {
    return "(" + bad(family, range) + ") / " + RuleWords.number(rounded(budget));
  }

  private String bad(String family, String range) {
    String filter = BoardPanel.FILTER;
    String all = "sum by (model_name) (rate(" + family + "_count{" + filter + "}[" + range + "]))";
    String good =
        "sum by (model_name) (rate(" + family + "_bucket{" + filter + ","
            + derived.query().edgeMatcher() + "}[" + range + "]))";
    return "1 - " + good + " / (" + all + " > 0)";
  }

  // 1 - 0.99 is not written as 0.010000000000000009.
  private static double rounded(double share) {
    return Math.round(share * 1e9) / 1e9;
  }
}
