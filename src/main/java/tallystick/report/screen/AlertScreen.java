package tallystick.report.screen;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.derivation.DerivedAlerts.Validity;
import tallystick.alerting.derivation.Need;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.Earned;
import tallystick.alerting.rules.RuleSet;
import tallystick.answer.Document;
import tallystick.answer.Section;
import tallystick.answer.words.Wording;
import tallystick.promql.Durations;
import tallystick.scenario.Counted;
import tallystick.scenario.PlainText;

/** The first screen of derived alerts: what is earned, what is refused and why, what comes next. */
public final class AlertScreen {
  private static final int MOST = 50;

  private final List<AlertReview> reviews;
  private final Validity validity;
  private final List<RuleSet.Rule> earned;
  private final Map<RefusalCode, List<RefusedAlert>> refused;

  /** A screen of one review for each objective. */
  public AlertScreen(List<AlertReview> reviews) {
    this.reviews = reviews;
    this.validity = reviews.getFirst().derived().validity();
    this.earned = Earned.alerts(reviews);
    this.refused =
        reviews.stream()
            .flatMap(one -> one.rules().refusals().stream())
            .distinct()
            .collect(
                Collectors.groupingBy(
                    RefusedAlert::code, LinkedHashMap::new, Collectors.toList()));
  }

  /**
   * The screen.
   *
   * @param folder of the rules, as the user named it
   * @param cautions what else a reader must know
   * @param room how many alerts, reasons and cautions to show
   */
  public Screen of(String folder, List<String> cautions, int room) {
    Screen screen = answers(Math.max(1, room));
    cautions.stream().limit(room + 1L).forEach(each -> screen.caution("!", each));
    return screen.next(
        next(PlainText.argument(folder + "/rules_test.yaml")),
        "./tally open " + PlainText.argument(folder) + "  # when each would have fired",
        "The same command with --verbose tells every signal and every figure.");
  }

  /** The same as the head of the page beside the rules. */
  public Document page(List<Section> sections) {
    return answers(MOST).next(next("rules_test.yaml")).page(sections);
  }

  private Screen answers(int room) {
    int refusals = refused.values().stream().mapToInt(List::size).sum();
    Screen screen =
        new Screen(
            "alerts", earned.size() + " of " + (earned.size() + refusals) + " alerts earned",
            Counted.of(validity.runs().size(), "run", "runs") + ", "
                + Counted.of(validity.mixes(), "mix", "mixes"),
            "windows of " + Durations.text(validity.windowMillis()));
    addEarned(screen, room);
    addRefused(screen, room);
    Earned.proven(reviews).ifPresent(words -> screen.plain("PROVEN", words));
    Earned.falselyFired(reviews).ifPresent(words -> screen.caution("!", words));
    if (validity.simulated()) {
      screen.caution("TRUST", "SIMULATED: a rehearsal, which says nothing of a real server");
    }
    reviews.forEach(one -> screen.plain("JUDGED", judged(one)));
    return screen;
  }

  private void addEarned(Screen screen, int room) {
    if (earned.isEmpty()) {
      screen.caution("VERDICT", "no threshold is proven; rules.yaml holds only what needs none");
    }
    for (int i = 0; i < Math.min(room, earned.size()); i++) {
      screen.good(i == 0 ? "EARNED" : "", Earned.line(earned.get(i)));
    }
    if (room < earned.size()) {
      screen.plain("", "and " + (earned.size() - room) + " more, in rules.yaml");
    }
  }

  private void addRefused(Screen screen, int room) {
    List<List<RefusedAlert>> reasons =
        refused.values().stream()
            .sorted(Comparator.comparingInt((List<RefusedAlert> one) -> -one.size()))
            .toList();
    for (int i = 0; i < Math.min(room, reasons.size()); i++) {
      RefusedAlert first = reasons.get(i).getFirst();
      List<String> names = reasons.get(i).stream().map(RefusedAlert::alertName).toList();
      boolean isOfAll =
          reasons.get(i).stream().allMatch(one -> one.missing().equals(first.missing()));
      screen.caution(
          i == 0 ? "REFUSED" : "",
          first.code().plain() + ": " + Earned.some(names) + " (" + (isOfAll ? "" : "the first: ")
              + first.missing() + ")"
              + next(Optional.of(first.code())).map(run -> "; next: " + run).orElse(""));
    }
    if (room < reasons.size()) {
      screen.plain("", "and " + (reasons.size() - room) + " more reasons");
    }
  }

  private static String judged(AlertReview review) {
    return "by " + Wording.objective(review.derived().request().objective()) + "; "
        + review.derived().edge().sentence();
  }

  private String next(String tests) {
    Optional<String> lacking = earned.isEmpty() ? next(Optional.empty()) : Optional.empty();
    return lacking.map(Answers::sentence).orElse(
        "promtool test rules " + tests
            + (Earned.areTested(reviews) ? "" : "  # no promise: runs too short"));
  }

  /** What to run for a reason, or for the one that most signals are refused for. */
  private Optional<String> next(Optional<RefusalCode> code) {
    Map<Need, Long> needs =
        reviews.stream()
            .flatMap(one -> one.derived().outcomes().stream())
            .filter(SignalOutcome.Refused.class::isInstance)
            .map(one -> ((SignalOutcome.Refused) one).lacks().getFirst().need())
            .filter(need -> code.isEmpty() || code.get() == need.code())
            .collect(
                Collectors.groupingBy(
                    Function.identity(), LinkedHashMap::new, Collectors.counting()));
    return needs.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(one -> one.getKey().next());
  }
}
