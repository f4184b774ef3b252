package tallystick.alerting.review;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.BetaDistribution;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.ScoreWords;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;
import tallystick.analysis.result.Strength;
import tallystick.scenario.LengthOfTime;

/**
 * How sure it is that an alert finds what users suffer, as tables and rule files say it.
 *
 * @param words for a cell
 * @param reason what it rests on, and what more would cost
 */
record AlertStrength(String words, String reason) {
  /** A threshold must find as much on runs left out. */
  private static final double LEAST_FOUND = 0.6; // docs/alerts.md, Refusals

  private static final int MOST_ASKED = 20; // more episodes than this nobody will plant

  private static final AlertStrength OF_OBJECTIVE =
      new AlertStrength("objective", "follows from the objective alone, without any load");
  private static final AlertStrength NOT_OF_USERS =
      new AlertStrength("n/a", "it watches how fast the engine is; episodes of suffering cannot"
          + " test it");
  private static final AlertStrength NOT_JUDGED =
      new AlertStrength("n/a", "not judged: no run could be left out");

  /** How an alert did under one condition. */
  private static Optional<AlertScore> score(
      String condition, RuleSet.Rule rule, List<ConditionScore> judgements) {
    return judgements.stream()
        .filter(one -> one.words().equals(condition))
        .flatMap(one -> one.of(rule.name()).stream())
        .findFirst();
  }

  /** How it did on runs left out. */
  static Optional<AlertScore> leftOut(RuleSet.Rule rule, List<ConditionScore> judgements) {
    return score(ConditionScore.RUN_LEFT_OUT, rule, judgements);
  }

  /** All the health in which it should have been silent, on runs it was not learned from. */
  static Optional<AlertScore> inHealth(RuleSet.Rule rule, List<ConditionScore> judgements) {
    List<AlertScore> seen =
        Stream.of(ConditionScore.RUN_LEFT_OUT, ConditionScore.HEALTH)
            .flatMap(condition -> score(condition, rule, judgements).stream())
            .toList();
    return Optional.of(AlertScore.sum(rule.name(), seen))
        .filter(one -> one.health().seconds() > 0);
  }

  /** The cells of the table that no rule says itself, for an alert's place in the rule file. */
  static Map<String, String> notes(RuleSet.Rule rule, List<ConditionScore> judgements) {
    Map<String, String> notes = new LinkedHashMap<>();
    if (!RuleBook.ABSENCE.contains(rule.name())) {
      notes.put("strength", of(rule, leftOut(rule, judgements)).sentence());
      inHealth(rule, judgements)
          .ifPresent(score -> notes.put("false_alarms", falseAlarms(score)));
    }
    return notes;
  }

  static String falseAlarms(AlertScore score) {
    return score.falseFirings() + " in " + LengthOfTime.words(score.health().seconds());
  }

  /** Of an alert, as it did on runs left out. */
  static AlertStrength of(RuleSet.Rule rule, Optional<AlertScore> leftOut) {
    if (!rule.isLearned()) {
      return OF_OBJECTIVE;
    }
    if (!rule.promise().isSilent() && leftOut.isPresent()) {
      return NOT_OF_USERS;
    }
    return leftOut.map(score -> of(score.all())).orElse(NOT_JUDGED);
  }

  private static AlertStrength of(AlertScore.Hits hits) {
    Strength strength = strength(hits.found(), hits.episodes());
    String found =
        hits.episodes() == 0
            ? "held-out runs had no suffering that it could find"
            : "found " + ScoreWords.hits(hits) + " episodes on held-out runs";
    return new AlertStrength(strength.words(), found + price(strength, hits));
  }

  /** The share of episodes that it finds lies at or above the least, each share as likely first. */
  private static Strength strength(int found, int episodes) {
    BetaDistribution share = new BetaDistribution(null, found + 1.0, episodes - found + 1.0);
    return Strength.of(1 - share.cumulativeProbability(LEAST_FOUND));
  }

  private static String price(Strength strength, AlertScore.Hits hits) {
    if (strength == Strength.SURE) {
      return "";
    }
    for (int more = 1; more <= MOST_ASKED; more++) {
      if (strength(hits.found() + more, hits.episodes() + more) == Strength.SURE) {
        return "; " + more + " more found would make it sure";
      }
    }
    return "; it misses too many";
  }

  boolean isTooClose() {
    return words.equals(Strength.TOO_CLOSE.words());
  }

  /** Both in one sentence, for a rule file. */
  String sentence() {
    return words + ": " + reason;
  }
}
