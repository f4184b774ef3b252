package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.ScoreWords;
import tallystick.alerting.rules.RuleSet;
import tallystick.alerting.rules.SufferingPredicate;

/** What replays say of how many episodes an alert finds, beside what it promises to find. */
final class MeasuredRecall {
  /** An alert that finds less than this of what users suffered says so. */
  private static final double GOAL = 0.9;

  private MeasuredRecall() {}

  /** One line for each alert that misses more than one episode in ten. */
  static List<String> notes(RuleSet rules, List<AlertScore> scores) {
    List<String> notes = new ArrayList<>();
    for (AlertScore score : scores) {
      rules.alerts().stream()
          .filter(rule -> rule.name().equals(score.alert()) && isShort(score, rule))
          .findFirst()
          .ifPresent(rule -> notes.add(score.alert() + " " + shortfall(score, rule)));
    }
    return notes;
  }

  /** What each judgement says of an alert, for the comments above it; nothing of absence. */
  static List<String> evidence(RuleSet.Rule rule, List<ConditionScore> judgements) {
    List<String> lines = new ArrayList<>();
    if (!rule.promise().isSilent()) {
      return lines;
    }
    for (ConditionScore judgement : judgements) {
      judgement
          .of(rule.name())
          .filter(score -> score.all().episodes() > 0)
          .ifPresent(
              score ->
                  lines.add(
                      "  replayed %s: %s of %s episodes found; %s%s"
                          .formatted(
                              judgement.words(), score.all().found(), score.all().episodes(),
                              ScoreWords.falseFirings(score),
                              isShort(score, rule) ? "; it " + shortfall(score, rule) : "")));
    }
    return lines;
  }

  private static boolean isShort(AlertScore score, RuleSet.Rule rule) {
    return rule.promise().isSilent() && score.recall() < GOAL;
  }

  private static String shortfall(AlertScore score, RuleSet.Rule rule) {
    List<SufferingPredicate> burdens = rule.promise().burdens();
    return String.format(
        Locale.ROOT, "finds %.2f of the episodes, less than %.1f: %s", score.recall(), GOAL,
        burdens.isEmpty()
            ? "it promises none of them"
            : "it promises those where " + SufferingPredicate.words(burdens));
  }
}
