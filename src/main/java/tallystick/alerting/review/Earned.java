package tallystick.alerting.review;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tallystick.alerting.RefusedAlert;
import tallystick.alerting.RuleWords;
import tallystick.alerting.backtest.AlertScore;
import tallystick.alerting.backtest.LeadTime;
import tallystick.alerting.backtest.ScoreWords;
import tallystick.alerting.rules.RuleBook;
import tallystick.alerting.rules.RuleSet;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.chart.Strip;
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

  /** False alarms seen over less than this are worth little, and the screen says so. */
  /** More a day is one in five minutes: a bound that says nothing. */
  private static final double MOST_TELLING = 288;

  private static final double ENOUGH_HEALTH_SECONDS = 3600; // bounds them at 72 a day

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
    long learned = all.stream().filter(RuleSet.Rule::isLearned).count();
    long rest = all.size() - learned;
    long open =
        all.stream()
            .filter(rule -> rule.isLearned() && strength(rule, reviews).isTooClose())
            .count();
    String from =
        Counted.of(learned, "alert", "alerts") + " with a threshold learned from these runs"
            + (open == 0 ? "" : " (" + open + " of them too close to call)");
    if (rest == 0) {
      return from;
    }
    return from
        + (rest == 1
            ? "; 1 follows from the objective alone and needs no load"
            : "; " + rest + " follow from the objective alone and need no load");
  }

  /** {@code 2 of 9 alerts ready; 6 more need no threshold}. */
  public static String standing(List<AlertReview> reviews) {
    Set<String> ready =
        alerts(reviews).stream().map(RuleSet.Rule::name).collect(Collectors.toSet());
    Set<String> all = new HashSet<>(ready);
    reviews.stream()
        .flatMap(one -> one.rules().refusals().stream())
        .map(RefusedAlert::alertName)
        .forEach(all::add);
    long outages = outages(reviews);
    return ready.size() + " of " + all.size() + " alerts ready"
        + (outages == 0
            ? ""
            : outages == 1
                ? "; 1 more needs no threshold"
                : "; " + outages + " more need no threshold");
  }

  private static long outages(List<AlertReview> reviews) {
    return reviews.stream()
        .flatMap(one -> one.rules().alerts().stream())
        .map(RuleSet.Rule::name)
        .filter(RuleBook.ABSENCE::contains)
        .distinct()
        .count();
  }

  /** The alerts that watch for what is gone or stuck; empty where there are none. */
  public static Optional<String> outage(List<AlertReview> reviews) {
    long count = outages(reviews);
    return count == 0
        ? Optional.empty()
        : Optional.of(
            Counted.of(count, "alert needs", "alerts need")
                + " no threshold (target down, engine stuck, …)");
  }

  /** Each alert with what it catches and what it costs, on runs it was not learned from. */
  public static Block.Table table(List<AlertReview> reviews) {
    List<RuleSet.Rule> all = new ArrayList<>(alerts(reviews));
    all.sort(Comparator.comparing(rule -> !rule.isLearned()));
    List<Column> columns =
        List.of(
            Column.name("alert"), Column.sentence("fires when"), Column.words("severity"),
            Column.words("sure?"), Column.words("catches").spare(1), Column.words("late").spare(2),
            Column.words("stays on"), Column.words("false alarms"),
            Column.words("why").spare(Column.WIDE));
    return new Block.Table(
        "", false, columns,
        IntStream.range(0, all.size())
            .mapToObj(i -> row(all.get(i), reviews).spare(i < 2 ? 0 : i))
            .toList(),
        Block.Rest.of("and %d more, in rules.yaml"));
  }

  private static List<ConditionScore> judgements(List<AlertReview> reviews) {
    return reviews.stream().flatMap(one -> one.judgements().stream()).toList();
  }

  private static AlertStrength strength(RuleSet.Rule rule, List<AlertReview> reviews) {
    return AlertStrength.of(rule, AlertStrength.leftOut(rule, judgements(reviews)));
  }

  private static Block.Row row(RuleSet.Rule rule, List<AlertReview> reviews) {
    List<ConditionScore> judgements = judgements(reviews);
    Optional<AlertScore> score = AlertStrength.leftOut(rule, judgements);
    AlertStrength strength = strength(rule, reviews);
    Cell fires = Cell.of(firesWhen(rule));
    return Block.Row.of(
        Cell.of(rule.name().replaceFirst("^VLLM", "")),
        strip(rule, reviews).map(fires::drawn).orElse(fires),
        Cell.of(rule.labels().getOrDefault("severity", "")), Cell.of(strength.words()),
        told(score.filter(one -> one.all().episodes() > 0).map(one -> ScoreWords.hits(one.all()))),
        told(
            score.filter(ScoreWords::hasDelay)
                .map(one -> LengthOfTime.words(Math.max(0, one.delaySeconds(0.5))))
                .or(() -> score.filter(Earned::hasMissedAll).map(one -> "never"))),
        told(
            score.filter(one -> !one.time().resolve().isEmpty())
                .map(one -> LengthOfTime.words(one.time().resolveSeconds(0.5)))
                .or(() -> score.filter(one -> one.firings() == 0).map(one -> "never on"))),
        told(AlertStrength.inHealth(rule, judgements).map(AlertStrength::falseAlarms)),
        Cell.of(strength.reason()));
  }

  private static boolean hasMissedAll(AlertScore score) {
    return score.firings() == 0 && score.all().episodes() > 0;
  }

  private static Cell told(Optional<String> words) {
    return Cell.of(words.orElse(NOT_KNOWN));
  }

  /** The windows that a threshold was learned from; empty of an alert on none. */
  private static Optional<Strip> strip(RuleSet.Rule rule, List<AlertReview> reviews) {
    return rule.signal()
        .flatMap(
            signal ->
                reviews.stream()
                    .filter(review -> review.rules().alerts().contains(rule))
                    .map(AlertReview::derived)
                    .flatMap(
                        all ->
                            all.derived(signal).stream()
                                .map(one -> new ThresholdPlot(one, all.windows(signal), 0)))
                    .filter(plot -> !plot.windows().isEmpty())
                    .map(ThresholdPlot::strip)
                    .findFirst());
  }

  /** The worst that any alert costs: how long it stays on, and false alarms with their bound. */
  public static Optional<String> price(List<AlertReview> reviews) {
    List<ConditionScore> judgements = judgements(reviews);
    List<String> words = new ArrayList<>();
    alerts(reviews).stream()
        .flatMap(rule -> AlertStrength.leftOut(rule, judgements).stream())
        .filter(one -> !one.time().resolve().isEmpty())
        .max(Comparator.comparingDouble(one -> one.time().resolveSeconds(1)))
        .ifPresent(
            one ->
                words.add(
                    "stayed on up to " + LengthOfTime.words(one.time().resolveSeconds(1))
                        + " after recovery"));
    alerts(reviews).stream()
        .flatMap(rule -> AlertStrength.inHealth(rule, judgements).stream())
        .max(Comparator.comparingDouble(AlertScore::falsePerDayBound))
        .ifPresent(one -> words.add(falseAlarmsBounded(one)));
    return words.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", words));
  }

  private static String falseAlarmsBounded(AlertScore score) {
    String over = LengthOfTime.words(score.health().seconds());
    if (score.falsePerDayBound() > MOST_TELLING) {
      return "false alarms: " + score.falseFirings() + " in " + over
          + " of health, too short to say how many a day";
    }
    return String.format(
        Locale.ROOT,
        score.health().seconds() < ENOUGH_HEALTH_SECONDS
            ? "false alarms: %d, seen over %s of health only (at most %.0f a day)"
            : "false alarms: %d in %s of health (at most %.0f a day)",
        score.falseFirings(), over, score.falsePerDayBound());
  }

  /** How early the alerts spoke on ramps; empty where there was none on which users suffered. */
  public static Optional<String> lead(List<AlertReview> reviews) {
    List<LeadTime> told =
        reviews.stream()
            .flatMap(one -> one.lead().alerts().stream())
            .filter(one -> one.ramps() > 0)
            .toList();
    Map<String, List<String>> byVerdict = new LinkedHashMap<>();
    told.forEach(
        one ->
            byVerdict
                .computeIfAbsent(one.verdict(), any -> new ArrayList<>())
                .add(one.name().replaceFirst("^VLLM", "") + median(one.medianSeconds())));
    return told.isEmpty()
        ? Optional.empty()
        : Optional.of(
            byVerdict.entrySet().stream()
                .map(one -> one.getKey() + ": " + some(one.getValue()))
                .collect(Collectors.joining("; ")));
  }

  private static String median(double seconds) {
    return Double.isNaN(seconds)
        ? ""
        : " " + LengthOfTime.words(Math.abs(seconds)) + (seconds < 0 ? " late" : " early");
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
        judgements(reviews).stream()
            .filter(one -> one.words().equals(ConditionScore.RUN_LEFT_OUT))
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
