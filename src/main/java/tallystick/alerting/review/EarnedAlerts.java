package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.RuleWords;
import tallystick.alerting.backtest.ScoreBlocks;
import tallystick.alerting.derivation.DerivedAlerts.Validity;
import tallystick.alerting.derivation.Requirement;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.UnmetRequirement;
import tallystick.alerting.rules.RuleSet;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Block;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Wording;
import tallystick.promql.PromTime;
import tallystick.scenario.Counted;

/**
 * Derived alerts: what is earned, what is refused and why, what comes next.
 *
 * @param reviews one for each objective
 * @param folder where the rules lie, as the user named it
 * @param files its files
 * @param cautions what else a reader must know
 */
public record EarnedAlerts(
    List<AlertReview> reviews, String folder, List<String> files, List<String> cautions)
    implements Decision {

  public EarnedAlerts {
    reviews = List.copyOf(reviews);
    files = List.copyOf(files);
    cautions = List.copyOf(cautions);
  }

  @Override
  public Answer answer(Invocation asked) {
    Answer.Builder answer = said();
    for (int i = 0; i < cautions.size(); i++) {
      answer.say(Tone.CAUTION, "!", cautions.get(i), i);
    }
    answer.next(
        next(asked.in("rules_test.yaml")),
        "./tally open " + asked.in("") + "  # when each would have fired",
        "The same command with --verbose shows every signal and every figure.");
    answer.detail(
        Section.of(
            "cautions", "", cautions.stream().<Block>map(ScoreBlocks::text).toList()));
    reviews.forEach(review -> account(review).forEach(answer::detail));
    answer.detail(
        Section.of(
            "files", "Written to " + folder + ":",
            files.stream().<Block>map(ScoreBlocks::text).toList()));
    return answer.figures("", AlertFigures.of(folder, files, reviews)).comesTo(status());
  }

  private AnswerStatus status() {
    if (Earned.alerts(reviews).stream().anyMatch(RuleSet.Rule::isLearned)) {
      return AnswerStatus.GOOD;
    }
    return outcomes().stream()
            .flatMap(one -> one.lacks().stream().limit(1))
            .anyMatch(lack -> lack.need().code() == RefusalCode.UNRECONCILED)
        ? AnswerStatus.NOT_TRUSTED
        : AnswerStatus.TOO_CLOSE;
  }

  private List<Section> account(AlertReview review) {
    List<Section> parts = new ArrayList<>(AlertSections.each(review));
    if (reviews.size() > 1) {
      Section first = parts.getFirst();
      String by = RuleWords.objective(review.derived().request().objective());
      parts.set(0, Section.of(first.id(), first.title() + ", by " + by, first.blocks()));
    }
    return parts;
  }

  /** What the page beside the rules of one objective says. */
  public static Answer page(AlertReview review) {
    EarnedAlerts alerts = new EarnedAlerts(List.of(review), "", List.of(), List.of());
    Answer.Builder page = alerts.said().next(alerts.next("rules_test.yaml"));
    AlertSections.each(review).forEach(page::detail);
    return page.comesTo(AnswerStatus.GOOD);
  }

  private Answer.Builder said() {
    List<RuleSet.Rule> earned = Earned.alerts(reviews);
    List<List<RefusedAlert>> refused = refused();
    Validity validity = reviews.getFirst().derived().validity();
    Answer.Builder answer =
        Answer.of(
            "alerts", Earned.standing(reviews),
            Counted.of(validity.runs().size(), "run", "runs") + ", "
                + Counted.of(validity.mixes(), "mix", "mixes"),
            "windows of " + PromTime.text(validity.windowMillis()));
    if (earned.isEmpty()) {
      answer.verdict(
          Tone.CAUTION, "no threshold learned; rules.yaml has only the alerts that need none");
    }
    if (!earned.isEmpty()) {
      answer.say(Tone.GOOD, "READY", Earned.learned(reviews));
      Earned.price(reviews).ifPresent(words -> answer.say(Tone.PLAIN, "PRICE", words));
      answer.block(Earned.table(reviews));
      Earned.lead(reviews).ifPresent(words -> answer.say(Tone.PLAIN, "LEAD", words));
    }
    // The first stays; of the others as many as a screen holds.
    answer.say(
        Tone.CAUTION, "NOT READY", refused.stream().map(this::reason).toList(), 1, 2,
        new Block.Rest("and %d more reason", "and %d more reasons"));
    Earned.outage(reviews).ifPresent(words -> answer.say(Tone.PLAIN, "OUTAGE", words));
    Earned.falselyFired(reviews).ifPresent(words -> answer.say(Tone.CAUTION, "!", words));
    if (validity.simulated()) {
      answer.trust(
          Tone.CAUTION, "SIMULATED: a rehearsal, which says nothing of a real server");
    }
    reviews.forEach(one -> answer.say(Tone.PLAIN, "JUDGED", judged(one)));
    return answer;
  }

  /** Refused alerts by their reason, the most frequent first. */
  private List<List<RefusedAlert>> refused() {
    Map<RefusalCode, List<RefusedAlert>> byCode =
        reviews.stream()
            .flatMap(one -> one.rules().refusals().stream())
            .distinct()
            .collect(
                Collectors.groupingBy(
                    RefusedAlert::code, LinkedHashMap::new, Collectors.toList()));
    return byCode.values().stream()
        .sorted(Comparator.comparingInt((List<RefusedAlert> one) -> -one.size()))
        .toList();
  }

  private String reason(List<RefusedAlert> alike) {
    RefusedAlert first = alike.getFirst();
    boolean isOfAll = alike.stream().allMatch(one -> one.missing().equals(first.missing()));
    return first.code().plain() + ": "
        + Earned.some(alike.stream().map(RefusedAlert::alertName).toList())
        + " (" + (isOfAll ? "" : "the first: ") + first.missing() + ")"
        + next(Optional.of(first.code())).map(run -> "; next: " + run).orElse("");
  }

  private static String judged(AlertReview review) {
    return "by " + Wording.objective(review.derived().request().objective()) + "; "
        + review.derived().edge().sentence();
  }

  private String next(String tests) {
    Optional<String> lacking =
        Earned.alerts(reviews).isEmpty() ? next(Optional.empty()) : Optional.empty();
    return lacking
        .map(run -> run.substring(0, 1).toUpperCase(Locale.ROOT) + run.substring(1) + ".")
        .orElse(
            "promtool test rules " + tests
                + (Earned.areTested(reviews) ? "" : "  # runs too short to test firing"));
  }

  /** What to run for a reason, or for the one that most signals are refused for. */
  private Optional<String> next(Optional<RefusalCode> code) {
    Map<Requirement, Long> needs =
        outcomes().stream()
            .flatMap(one -> one.lacks().stream().limit(1))
            .map(UnmetRequirement::need)
            .filter(need -> code.isEmpty() || code.get() == need.code())
            .collect(
                Collectors.groupingBy(
                    Function.identity(), LinkedHashMap::new, Collectors.counting()));
    return needs.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(one -> one.getKey().next());
  }

  private List<SignalOutcome> outcomes() {
    return reviews.stream().flatMap(one -> one.derived().outcomes().stream()).toList();
  }
}
