package tallystick.alerting.watch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tallystick.alerting.RuleFile;
import tallystick.alerting.RuleSource;
import tallystick.alerting.backtest.AlertTraits;
import tallystick.alerting.derivation.Signal;
import tallystick.alerting.rules.RuleBook;
import tallystick.promql.Expression.BinaryOperation;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.Expression;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.promql.RuleGroup;

/**
 * What a rule file asks of a Prometheus.
 *
 * @param file the rules
 * @param alerts those that can be asked for
 * @param recordings what each recorded metric stands for
 */
public record WatchedRules(
    RuleFile file, List<WatchedAlert> alerts, Map<String, Expression> recordings) {
  /** The two lines of evidence that every derived threshold has above its alert. */
  private static final Pattern EVIDENCE =
      Pattern.compile(
          "# (\\w+): threshold (\\S+), 90 % interval .*, (?:in health at most|clears at) (\\S+)\\s*"
              + "#\\s+windows: (\\d+) met");

  public WatchedRules {
    alerts = List.copyOf(alerts);
  }

  /**
   * Reads rules with the evidence in their comments.
   *
   * @param text of the file
   * @param evaluationMillis of groups that name no interval
   */
  public static WatchedRules of(RuleFile file, String text, long evaluationMillis) {
    List<String> lines = text.lines().toList();
    Map<String, Expression> recordings = recordings(file, evaluationMillis);
    List<WatchedAlert> alerts = new ArrayList<>();
    for (RuleFile.Group group : file.groups()) {
      long interval = group.intervalMillis() > 0 ? group.intervalMillis() : evaluationMillis;
      for (RuleSource source : group.rules()) {
        if (source.alert() && source.expression().isPresent()) {
          Expression whole = inlined(source.expression().get(), recordings, interval);
          alerts.add(alert(source, whole, interval, comment(lines, source.line())));
        }
      }
    }
    return new WatchedRules(file, alerts, recordings);
  }

  private static Map<String, Expression> recordings(RuleFile file, long evaluationMillis) {
    Map<String, Expression> all = new LinkedHashMap<>();
    for (RuleSource source : file.rules()) {
      source.rule()
          .filter(RuleGroup.Recording.class::isInstance)
          .ifPresent(rule -> all.putIfAbsent(rule.name(), labelled(rule)));
    }
    all.replaceAll((name, expression) -> inlined(expression, all, evaluationMillis));
    return all;
  }

  private static Expression labelled(RuleGroup.Rule rule) {
    Expression result = rule.expression();
    for (Map.Entry<String, String> label : rule.labels().entrySet()) {
      List<Expression> arguments = new ArrayList<>(List.of(result));
      for (String word : List.of(label.getKey(), label.getValue().replace("$", "$$"), "", "")) {
        arguments.add(new Expression.StringLiteral(word, 0));
      }
      result = new Expression.Call("label_replace", arguments, 0);
    }
    return result;
  }

  /**
   * The expression with what its recordings stand for. One that selects a recording by labels, or
   * at another time, is left as it is, and reads what the Prometheus itself has recorded.
   */
  private static Expression inlined(
      Expression given, Map<String, Expression> recordings, long intervalMillis) {
    return Expressions.resolved(given, each -> recorded(each, recordings, intervalMillis));
  }

  private static Optional<Expression> recorded(
      Expression part, Map<String, Expression> recordings, long intervalMillis) {
    return switch (part) {
      case VectorSelector one when isNamed(one, recordings) ->
          Optional.of(new Expression.Parentheses(recordings.get(one.metric()), 0));
      case Expression.RangeSelector one when isNamed(one.selector(), recordings) ->
          Optional.of(
              new Expression.Subquery(
                  new Expression.Parentheses(recordings.get(one.selector().metric()), 0),
                  one.rangeMillis(), intervalMillis, Expression.Timing.PLAIN, 0));
      default -> Optional.empty();
    };
  }

  private static boolean isNamed(VectorSelector selector, Map<String, Expression> recordings) {
    return selector.matchers().size() == 1
        && selector.timing().equals(Expression.Timing.PLAIN)
        && recordings.containsKey(selector.metric());
  }

  /** The comment lines that stand directly above a line. */
  private static String comment(List<String> lines, int line) {
    int from = line - 1;
    while (from > 0 && lines.get(from - 1).strip().startsWith("#")) {
      from--;
    }
    return String.join("\n", lines.subList(from, line - 1));
  }

  private static WatchedAlert alert(
      RuleSource source, Expression whole, long intervalMillis, String comment) {
    List<WatchedAlert.Learned> learned = new ArrayList<>();
    Matcher evidence = EVIDENCE.matcher(comment);
    while (evidence.find()) {
      double threshold = Double.parseDouble(evidence.group(2));
      Expression signal = Expressions.map(whole, each -> withoutLimit(each, threshold));
      // The share of bad requests is what tells whether users are well: it judges itself.
      boolean isOther = !evidence.group(1).equals(Signal.BAD_RATIO.code());
      if (isOther && !signal.equals(whole)) {
        learned.add(
            new WatchedAlert.Learned(
                evidence.group(1), threshold, Double.parseDouble(evidence.group(3)),
                Integer.parseInt(evidence.group(4)), ExpressionText.of(signal)));
      }
    }
    boolean isOfPresence =
        RuleBook.ABSENCE.contains(source.name())
            || Expressions.metrics(whole).anyMatch("up"::equals)
            || Expressions.asksForAbsence(whole);
    return new WatchedAlert(
        new RuleGroup.Alert(
            source.name(), whole, source.holdMillis(), source.keepFiringMillis(), source.labels()),
        intervalMillis,
        AlertTraits.memoryMillis(whole) + source.holdMillis() + source.keepFiringMillis()
            + 2 * intervalMillis,
        !isOfPresence, learned);
  }

  /** Every selector that an expression needs, without its time. */
  static Stream<String> selectors(Expression expression) {
    return AlertTraits.needed(expression)
        .map(VectorSelector::matchers)
        .map(all -> ExpressionText.of(new VectorSelector(all, Expression.Timing.PLAIN, 0)))
        .distinct();
  }

  /** The signal in place of its comparison with the threshold. */
  private static Expression withoutLimit(Expression part, double threshold) {
    boolean isLimit =
        part instanceof BinaryOperation operation && operation.operator().startsWith(">")
            && Expressions.constant(operation.right()).equals(OptionalDouble.of(threshold));
    return isLimit ? ((BinaryOperation) part).left() : part;
  }
}
