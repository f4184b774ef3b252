package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.RuleWords;
import tallystick.alerting.backtest.ScoreBlocks;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.derivation.Requirement;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.derivation.SignalOutcome.Derived;
import tallystick.alerting.derivation.SignalOutcome.Refused;
import tallystick.alerting.rules.RuleSet;
import tallystick.answer.Block;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.promql.Durations;
import tallystick.scenario.Counted;
import tallystick.scenario.Objective;

/** The whole account of derived alerts for a terminal: every signal, every alert, every figure. */
public final class AlertAccount {
  private AlertAccount() {}

  /** The account of one review for each objective. */
  static List<Section> of(List<AlertReview> reviews) {
    List<Section> sections = new ArrayList<>();
    for (AlertReview review : reviews) {
      Objective objective = review.derived().request().objective();
      sections.add(
          Section.of(
              "signals",
              reviews.size() > 1 ? "Objective " + RuleWords.objective(objective) : "",
              outcomes(review.derived())));
      sections.add(
          Section.of(
              "fired",
              "When users suffered (#), when alerts fired (=), and when they fired for nothing"
                  + " (!):",
              bands(review)));
      review.judgements().forEach(judgement -> sections.add(judged(judgement)));
      review.test().ifPresent(test -> sections.add(promises(test.promises())));
      sections.add(
          Section.of(
              "lead",
              "Lead time on ramps, seconds before users suffered (negative is late):",
              texts(review.lead().lines())));
    }
    return sections;
  }

  /**
   * What the same runs give, beside the user's rules: alerts judged on runs left out where there
   * are enough of them.
   */
  public static Section beside(List<DerivationRun> runs, Objective objective) {
    AlertReview review;
    try {
      review = AlertReview.of(runs, AlertRequest.usual(objective));
    } catch (IllegalArgumentException e) {
      String why = "Beside yours: nothing can be derived, " + e.getMessage();
      return Section.of("beside", "", ScoreBlocks.text(why));
    }
    Judgement judgement =
        review.judgements().stream()
            .filter(each -> each.words().equals(AlertReview.RUN_LEFT_OUT))
            .findFirst()
            .orElse(review.judgements().getFirst());
    List<Block> blocks = scores(judgement);
    for (RefusedAlert refused : review.rules().refusals()) {
      blocks.add(
          ScoreBlocks.text(
              "refused: " + refused.alertName() + ", " + refused.code().full() + ": "
                  + refused.missing()));
    }
    return Section.of(
        "beside",
        "Beside yours, alerts derived from these runs, replayed " + judgement.words() + ":",
        blocks);
  }

  /** What holds, what was refused and why, and what it is valid for. */
  private static List<Block> outcomes(DerivedAlerts derived) {
    List<Block> blocks = new ArrayList<>();
    DerivedAlerts.Validity validity = derived.validity();
    blocks.add(ScoreBlocks.text("Edge: " + derived.edge().sentence()));
    blocks.add(
        ScoreBlocks.text(
            "Windows of " + Durations.text(validity.windowMillis()) + ", "
                + Counted.of(validity.mixes(), "mix", "mixes") + ", "
                + Counted.of(validity.runs().size(), "run", "runs")));
    Map<Requirement, Map<String, List<String>>> refused = new LinkedHashMap<>();
    for (SignalOutcome outcome : derived.outcomes()) {
      switch (outcome) {
        case Derived found -> blocks.add(ScoreBlocks.text(derived(found, derived)));
        case Refused none ->
            refused
                .computeIfAbsent(none.lacks().getFirst().need(), any -> new LinkedHashMap<>())
                .computeIfAbsent(none.missing(), any -> new ArrayList<>())
                .add(none.signal().word());
      }
    }
    List<Block.Group> groups = new ArrayList<>();
    refused.forEach((need, sentences) -> groups.add(refused(need, sentences)));
    blocks.add(new Block.Groups(groups));
    blocks.add(ScoreBlocks.text("Valid for: " + validity.text()));
    return blocks;
  }

  private static String derived(Derived found, DerivedAlerts derived) {
    return String.format(
        Locale.ROOT,
        "%s > %.4g %s, for %s, area %.3f, runs left out: precision %.2f recall %.2f",
        found.signal().word(),
        found.threshold(),
        found.urgency().severity(),
        Durations.text(derived.holdMillis().getOrDefault(found.signal(), 0L)),
        found.evidence().area(),
        found.evidence().byRun().confusion().precision(),
        found.evidence().byRun().confusion().recall());
  }

  /** One reason, the signals that it holds for, and what to do about it. */
  private static Block.Group refused(Requirement need, Map<String, List<String>> sentences) {
    List<String> lines = new ArrayList<>();
    sentences.forEach(
        (sentence, signals) ->
            lines.add(
                (signals.size() == Signal.values().length
                        ? "every signal"
                        : String.join(", ", signals))
                    + ": " + sentence));
    lines.add("next: " + need.next());
    return new Block.Group("refused, " + need.code().full(), Mark.NONE, texts(lines));
  }

  private static List<Block> bands(AlertReview review) {
    List<String> alerts = review.rules().alerts().stream().map(RuleSet.Rule::name).toList();
    List<Block> blocks = new ArrayList<>();
    for (AlertReview.ReviewedRun run : review.runs()) {
      blocks.addAll(ScoreBlocks.bands(run.timeline(), alerts));
      blocks.add(ScoreBlocks.text("(" + run.source() + ")"));
    }
    return blocks;
  }

  private static Section judged(Judgement judgement) {
    return Section.of("judged", "Replayed " + judgement.words() + ":", scores(judgement));
  }

  private static List<Block> scores(Judgement judgement) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(ScoreBlocks.scores(judgement.scores()));
    blocks.addAll(texts(judgement.notes()));
    return blocks;
  }

  private static Section promises(PromiseReview promises) {
    List<String> lines = new ArrayList<>(List.of(promises.sentence()));
    promises.broken().forEach(broken -> lines.add("broken: " + broken.sentence()));
    promises.blunt().forEach(line -> lines.add("blunt: " + line));
    promises.untested().forEach(line -> lines.add("no promise: " + line));
    return Section.of(
        "promises",
        "Promises to the users of " + promises.run() + ", tested in rules_test.yaml:",
        texts(lines));
  }

  private static List<Block> texts(List<String> lines) {
    return lines.stream().<Block>map(ScoreBlocks::text).toList();
  }
}
