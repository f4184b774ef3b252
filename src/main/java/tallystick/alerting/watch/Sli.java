package tallystick.alerting.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tallystick.alerting.RuleWords;
import tallystick.alerting.backtest.AlertTraits;
import tallystick.promql.Expression;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.promql.LabelMatcher;
import tallystick.promql.Labels;

/**
 * What tells how users did: a service level indicator as a share of requests.
 *
 * @param words what it is, for a reader
 * @param target the share of requests that must be good
 * @param bad share of bad requests
 * @param all what {@code bad} is a share of
 * @param windowMillis how far back both look
 */
public record Sli(
    String words, double target, Expression bad, Expression all, long windowMillis) {
  private static final Pattern RECORDED = Pattern.compile("^.*vllm_(\\w+?)_bad:ratio_rate5m$");
  private static final Pattern OBJECTIVE =
      Pattern.compile("objective (\\w+) <= (\\S+) s for (0?\\.\\d+)");

  /** Counters of two scrapes, each extrapolated, may exceed each other by so much. */
  static final double MOST_SHARE = 1.1;

  /** One whose values are no share. */
  public static final class NoShareException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    NoShareException(double value) {
      super(
          "comes to " + RuleWords.number(value) + ", but a share is from 0 to 1: write BAD / ALL,"
              + " where ALL counts every request, and no percentage");
    }
  }

  /** A window must have samples in it. */
  private static final long LEAST_WINDOW_MILLIS = 30_000;

  private static final long MOST_WINDOW_MILLIS = 3_600_000; // in a longer one an incident vanishes

  /** Those of the engine that derived rules record, each with the objective it stands for. */
  static List<Sli> of(WatchedRules rules) {
    List<Sli> all = new ArrayList<>();
    rules.recordings().forEach(
        (name, bad) ->
            RECORDED.matcher(name).results()
                .flatMap(recorded -> objective(rules, recorded.group(1).split("_")[0]).stream())
                .map(objective -> of(words(objective), share(objective), bad))
                .forEach(all::add));
    return all;
  }

  private static String words(MatchResult objective) {
    return "engine side, " + objective.group(1).toUpperCase(Locale.ROOT) + " <= "
        + objective.group(2) + " s for " + RuleWords.number(100 * share(objective)) + " %";
  }

  private static double share(MatchResult objective) {
    return Double.parseDouble(objective.group(3));
  }

  /** The objective that rules say they are valid for; of a metric, or of any. */
  private static Optional<MatchResult> objective(WatchedRules rules, String metric) {
    return rules.file().rules().stream()
        .map(rule -> rule.annotations().getOrDefault("valid_for", ""))
        .flatMap(text -> OBJECTIVE.matcher(text).results())
        .filter(found -> metric.isEmpty() || found.group(1).equals(metric))
        .findFirst();
  }

  /** The share of good requests that rules say they are valid for. */
  public static OptionalDouble target(WatchedRules rules) {
    return objective(rules, "").stream().mapToDouble(Sli::share).findFirst();
  }

  /**
   * One of a user's own.
   *
   * @throws IllegalArgumentException if it is no share of something counted over a time
   */
  public static Sli of(String words, double target, Expression bad) {
    Expression all =
        denominator(bad)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "is not a share of requests: write bad / all, for example"
                            + " sum(rate(slow_total[5m])) / sum(rate(requests_total[5m]))"));
    long window = AlertTraits.memoryMillis(all);
    if (window < LEAST_WINDOW_MILLIS || window > MOST_WINDOW_MILLIS) {
      throw new IllegalArgumentException(
          "must count over 30s to 1h, for example rate(requests_total[5m]); it counts over "
              + window / 1000 + " s");
    }
    return new Sli(words, target, bad, all, window);
  }

  private static Optional<Expression> denominator(Expression expression) {
    return expression.bare() instanceof BinaryOperation operation
        ? switch (operation.operator()) {
          case "/" -> Optional.of(operation.right());
          case "-", "*" -> denominator(operation.right()).or(() -> denominator(operation.left()));
          default -> Optional.empty();
        }
        : Optional.empty();
  }

  /** The number of requests of a window. */
  String count() {
    boolean isRate = Expressions.calls(all, "rate"::equals).findAny().isPresent();
    String text = ExpressionText.of(all);
    return isRate ? "(" + text + ") * " + RuleWords.number(windowMillis / 1e3) : text;
  }

  /** The matchers by which it keeps to its server, without metric and bucket; may be empty. */
  String scope() {
    return Expressions.selectors(all)
        .limit(1)
        .flatMap(selector -> selector.matchers().stream())
        .filter(matcher -> !List.of(Labels.NAME, "le").contains(matcher.label()))
        .map(LabelMatcher::toString)
        .collect(Collectors.joining(","));
  }
}
