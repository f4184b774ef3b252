package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tallystick.alerting.RuleWords;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.ScoreWords;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;
import tallystick.analysis.result.Strength;
import tallystick.analysis.statistics.Proportion;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.scenario.Counted;
import tallystick.scenario.LengthOfTime;

/** What the reviews of several objectives earned together, in the words of a first screen. */
public final class Earned {
  private static final Pattern SHARE =
      Pattern.compile(
          "_bad:ratio_rate(\\w+) > ([0-9.e-]+)(?: and \\S+_bad:ratio_rate(\\w+) > )?");
  private static final Pattern TIME =
      Pattern.compile(":vllm_(\\w+)_seconds:(p\\d+)_(\\w+) > ([0-9.e-]+)");

  private static final String NOT_KNOWN = "n/a";

  /** A threshold must find as much on runs left out. */
  private static final double LEAST_FOUND = 0.6; // docs/alerts.md, Refusals

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

  /** What runs taught, and what follows from the objective without any load. */
  public static String learned(List<AlertReview> reviews) {
    List<RuleSet.Rule> all = alerts(reviews);
    long learned = all.stream().filter(Earned::isLearned).count();
    String others =
        all.size() - learned == 1
            ? "1 alert is arithmetic of the objective and needs no load"
            : all.size() - learned + " alerts are arithmetic of the objective and need no load";
    return Counted.of(learned, "threshold", "thresholds") + " learned from these runs"
        + (all.size() == learned ? "" : "; " + others);
  }

  /** Whether an alert's threshold comes from runs; burn rates follow from the objective. */
  public static boolean isLearned(RuleSet.Rule rule) {
    return !rule.name().contains("BudgetBurn");
  }

  /** The alerts that watch for what is gone or stuck; empty where there are none. */
  public static Optional<String> outage(List<AlertReview> reviews) {
    long count =
        reviews.stream()
            .flatMap(one -> one.rules().alerts().stream())
            .map(RuleSet.Rule::name)
            .filter(RuleBook.ABSENCE::contains)
            .distinct()
            .count();
    return count == 0
        ? Optional.empty()
        : Optional.of(
            Counted.of(count, "alert needs", "alerts need")
                + " no threshold (target down, engine stuck, …)");
  }

  /** Each alert with what it catches and what it costs, on runs it was not learned from. */
  public static Block.Table table(List<AlertReview> reviews) {
    List<RuleSet.Rule> all = new ArrayList<>(alerts(reviews));
    all.sort(Comparator.comparing(rule -> !isLearned(rule)));
    List<Column> columns =
        List.of(
            Column.name("alert"), Column.words("fires when"), Column.words("severity").spare(2),
            Column.words("sure?").spare(1), Column.words("catches"), Column.words("late"),
            Column.words("stays on"), Column.words("false alarms"));
    return new Block.Table(
        "", false, columns,
        IntStream.range(0, all.size())
            .mapToObj(i -> row(all.get(i), score(all.get(i), reviews)).spare(i < 2 ? 0 : i))
            .toList(),
        Block.Rest.of("and %d more, in rules.yaml"));
  }

  private static Optional<AlertScore> score(RuleSet.Rule rule, List<AlertReview> reviews) {
    return reviews.stream()
        .flatMap(one -> one.judgements().stream())
        .filter(one -> one.words().equals(AlertReview.RUN_LEFT_OUT))
        .flatMap(one -> one.scores().stream())
        .filter(one -> one.alert().equals(rule.name()))
        .findFirst();
  }

  private static Block.Row row(RuleSet.Rule rule, Optional<AlertScore> score) {
    return Block.Row.words(
        rule.name().replaceFirst("^VLLM", ""), firesWhen(rule),
        rule.labels().getOrDefault("severity", ""),
        isLearned(rule) ? score.map(Earned::strength).orElse(NOT_KNOWN) : "objective",
        score.filter(one -> one.all().episodes() > 0)
            .map(one -> ScoreWords.hits(one.all())).orElse(NOT_KNOWN),
        score.filter(ScoreWords::hasDelay)
            .map(one -> LengthOfTime.words(Math.max(0, one.delaySeconds(0.5)))).orElse(NOT_KNOWN),
        score.filter(one -> !one.time().resolve().isEmpty())
            .map(one -> LengthOfTime.words(one.time().resolveSeconds(0.5))).orElse(NOT_KNOWN),
        score.filter(one -> one.health().seconds() > 0)
            .map(Earned::falseAlarms).orElse(NOT_KNOWN));
  }

  /** Sure by the lower end of what it found on runs left out, likely by what it found. */
  private static String strength(AlertScore score) {
    AlertScore.Hits hits = score.all();
    if (hits.episodes() == 0 || hits.recall() < LEAST_FOUND) {
      return Strength.TOO_CLOSE.words();
    }
    double low = Proportion.wilson(hits.found(), hits.episodes(), Proportion.CONFIDENCE).low();
    return (low >= LEAST_FOUND ? Strength.SURE : Strength.LIKELY).words();
  }

  private static String falseAlarms(AlertScore score) {
    return score.falseFirings() + " in " + LengthOfTime.words(score.health().seconds());
  }

  /** The worst that any alert costs: how long it stays on, and false alarms with their bound. */
  public static Optional<String> price(List<AlertReview> reviews) {
    List<AlertScore> all =
        alerts(reviews).stream().flatMap(rule -> score(rule, reviews).stream()).toList();
    List<String> words = new ArrayList<>();
    all.stream()
        .filter(one -> !one.time().resolve().isEmpty())
        .max(Comparator.comparingDouble(one -> one.time().resolveSeconds(1)))
        .ifPresent(
            one ->
                words.add(
                    "stayed on up to " + LengthOfTime.words(one.time().resolveSeconds(1))
                        + " after recovery"));
    all.stream()
        .filter(one -> one.health().seconds() > 0)
        .max(Comparator.comparingDouble(AlertScore::falsePerDayBound))
        .ifPresent(
            one ->
                words.add(
                    String.format(
                        Locale.ROOT, "false alarms %s of health (at most %.0f a day)",
                        falseAlarms(one), one.falsePerDayBound())));
    return words.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", words));
  }

  // What is compared stands in the names of our recordings.
  static String firesWhen(RuleSet.Rule rule) {
    List<String> shares =
        SHARE.matcher(rule.expression().replaceAll("\\s+", " "))
            .results()
            .map(
                share ->
                    "> " + RuleWords.number(100 * Double.parseDouble(share.group(2))) + " % bad in "
                        + share.group(1)
                        + (share.group(3) == null ? "" : " and " + share.group(3)))
            .distinct()
            .toList();
    if (!shares.isEmpty()) {
      return String.join(", or ", shares);
    }
    String first = rule.expression().lines().findFirst().orElse("");
    Matcher time = TIME.matcher(first);
    if (time.find()) {
      boolean isQueue = time.group(1).contains("_");
      String what =
          isQueue ? time.group(1).replace('_', ' ') : time.group(1).toUpperCase(Locale.ROOT);
      return what + " " + time.group(2).toUpperCase(Locale.ROOT) + " > " + time.group(4)
          + " s in " + time.group(3);
    }
    int at = first.indexOf(" > ");
    return at < 0 ? first : first.substring(at + 1).split(" and ")[0];
  }

  /** Up to three names, or two of them and how many more. */
  public static String some(List<String> names) {
    List<String> distinct = names.stream().distinct().toList();
    return distinct.size() <= 3
        ? String.join(", ", distinct)
        : String.join(", ", distinct.subList(0, 2)) + " and " + (distinct.size() - 2) + " more";
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
}
