package tallystick.alerting.review;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.alerting.RuleWords;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.ScoreWords;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;

/** What the reviews of several objectives earned together, in the words of a first screen. */
public final class Earned {
  private static final Pattern SHARE =
      Pattern.compile(
          "_bad:ratio_rate(\\w+) > ([0-9.e-]+)(?: and \\S+_bad:ratio_rate(\\w+) > )?");
  private static final Pattern TIME =
      Pattern.compile(":vllm_(\\w+)_seconds:(p\\d+)_(\\w+) > ([0-9.e-]+)");

  private Earned() {}

  /** Whether the tests of the rules hold a promise of an alert. */
  public static boolean areTested(List<AlertReview> reviews) {
    return reviews.stream()
        .flatMap(one -> one.test().stream())
        .anyMatch(test -> !test.promises().kept().isEmpty());
  }

  /** The alerts that rest on a threshold or an objective; those on absence need no evidence. */
  public static List<RuleSet.Rule> alerts(List<AlertReview> reviews) {
    Map<String, RuleSet.Rule> byName = new LinkedHashMap<>();
    reviews.stream()
        .flatMap(one -> one.rules().alerts().stream())
        .filter(rule -> !RuleBook.ABSENCE.contains(rule.name()))
        .forEach(rule -> byName.putIfAbsent(rule.name(), rule));
    return List.copyOf(byName.values());
  }

  /** An alert, the comparison that it makes first, and whom it calls. */
  public static String line(RuleSet.Rule rule) {
    String evidence = rule.evidence().isEmpty() ? "" : comparison(rule);
    return rule.name() + evidence + "  (" + rule.labels().getOrDefault("severity", "") + ")";
  }

  // What is compared stands in the names of our recordings.
  private static String comparison(RuleSet.Rule rule) {
    List<String> shares =
        SHARE.matcher(rule.expression().replaceAll("\\s+", " "))
            .results()
            .map(
                share ->
                    "> " + RuleWords.number(100 * Double.parseDouble(share.group(2))) + " % in "
                        + share.group(1)
                        + (share.group(3) == null ? "" : " and " + share.group(3)))
            .distinct()
            .toList();
    if (!shares.isEmpty()) {
      return ": bad requests " + String.join(", or ", shares);
    }
    String first = rule.expression().lines().findFirst().orElse("");
    Matcher time = TIME.matcher(first);
    if (time.find()) {
      boolean isQueue = time.group(1).contains("_");
      String what =
          isQueue ? time.group(1).replace('_', ' ') : time.group(1).toUpperCase(Locale.ROOT);
      return ": " + what + " " + time.group(2).toUpperCase(Locale.ROOT) + " > " + time.group(4)
          + " s in " + time.group(3);
    }
    int at = first.indexOf(" > ");
    return at < 0 ? "" : "  " + first.substring(at + 1).split(" and ")[0];
  }

  /** Up to three names, or two of them and how many more. */
  public static String some(List<String> names) {
    List<String> distinct = names.stream().distinct().toList();
    return distinct.size() <= 3
        ? String.join(", ", distinct)
        : String.join(", ", distinct.subList(0, 2)) + " and " + (distinct.size() - 2) + " more";
  }

  /** How the first earned alert on an objective did on runs it was not derived from. */
  public static Optional<String> proven(List<AlertReview> reviews) {
    return reviews.stream()
        .flatMap(one -> one.judgements().stream())
        .filter(one -> one.words().equals(AlertReview.RUN_LEFT_OUT))
        .map(Judgement::scores)
        .flatMap(List::stream)
        .filter(score -> score.alert().endsWith("ObjectiveMissed"))
        .filter(score -> score.time().suffering() > 0)
        .findFirst()
        .map(Earned::proven);
  }

  /** Earned alerts that fired on runs left out while users were well; empty without any. */
  public static Optional<String> falselyFired(List<AlertReview> reviews) {
    List<AlertScore> scores =
        reviews.stream()
            .flatMap(one -> one.judgements().stream())
            .filter(one -> one.words().equals(AlertReview.RUN_LEFT_OUT))
            .flatMap(one -> one.scores().stream())
            .toList();
    return falselyFired(alerts(reviews).stream().map(RuleSet.Rule::name).toList(), scores);
  }

  static Optional<String> falselyFired(List<String> earned, List<AlertScore> scores) {
    List<String> told =
        scores.stream()
            .filter(score -> earned.contains(score.alert()))
            .filter(score -> score.falseFirings() > 0 && score.health().seconds() > 0)
            .map(score -> score.alert() + " " + ScoreWords.falseFirings(score))
            .toList();
    return told.isEmpty()
        ? Optional.empty()
        : Optional.of("fired with no episode near: " + some(told));
  }

  private static String proven(AlertScore score) {
    String bound =
        score.health().seconds() == 0
            ? ""
            : String.format(Locale.ROOT, " (at most %.1f a day)", score.falsePerDayBound());
    return String.format(
        Locale.ROOT,
        "%s on runs it was not fitted to: %d of %d episodes found, %.0f %% of suffering covered,"
            + " median %.0f s late; %.0f %% of its firing is right, its tail not"
            + " counted; %s",
        score.alert(), score.all().found(), score.all().episodes(),
        100 * score.time().covered() / score.time().suffering(), score.delaySeconds(0.5),
        100 * score.precision(), ScoreWords.falseFirings(score) + bound);
  }
}
