package tallystick.alerting.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.alerting.QueryText;
import tallystick.alerting.QueryText.Replacement;
import tallystick.alerting.YamlNode.Scalar;
import tallystick.promql.Expression;
import tallystick.promql.Expression.VectorSelector;
import tallystick.promql.ExpressionText;
import tallystick.promql.Expressions;
import tallystick.promql.LabelMatcher;
import tallystick.promql.Labels;
import tallystick.promql.PromTime;
import tallystick.promql.PromqlParser;

/**
 * The variables of a dashboard's query, each replaced by something that can be read. What a
 * variable stands for is known to nobody here, so a condition on one matches anything, and a metric
 * named by one has no name.
 */
final class DashboardVariables {
  private static final String VARIABLE =
      "\\$\\{[^}\"]*+\\}|\\$[a-zA-Z_]\\w*+|\\[\\[\\w++(?::\\w++)?\\]\\]";

  private static final Pattern ANY = Pattern.compile(VARIABLE);

  /** The words of a query, as far as variables need it told apart. */
  private static final Pattern PART =
      Pattern.compile(
          "(?s)(?<text>\"(?:\\\\.|[^\"\\\\])*+\"|'(?:\\\\.|[^'\\\\])*+'"
              + "|`[^`]*+`|#[^\\n\\r]*+)"
              + "|(?<variable>" + VARIABLE + ")"
              + "|\\[(?<range>(?:" + VARIABLE + "|[^\\[\\]\"'])*+)\\]"
              + "|.");

  /** A range or the step of one. */
  private static final Pattern DURATION = Pattern.compile("(?:" + VARIABLE + "|[^\\[\\]:])++");

  private static final Pattern LIST_OF_LABELS =
      Pattern.compile("(?s).*\\b(by|without|on|ignoring|group_left|group_right)\\s*+\\(\\s*+");

  /** Takes the place of a variable in a name or a text; nobody calls anything so. */
  static final String MARK = "tallyVariable";

  /** Long enough for any check of ranges, and no range that anybody writes. */
  private static final long RANGE_MILLIS = 300_001;

  /** What stands for a number: a level, a share and a factor may be so. */
  private static final double NUMBER = 0.5000001;

  private static final String MATCHES_ALL = ".*|" + MARK;

  private static final int MOST_VARIABLES = 200; // a bound; nobody writes so many
  private static final int FAR_ENOUGH = 100; // letters around a variable that tell its use

  /** What a variable that stands alone is taken for: as it stands, always a name or a number. */
  private enum Alone {
    UNTOLD,
    NAME,
    NUMBER
  }

  private final String written;
  private final Alone alone;
  private final List<Replacement> replaced = new ArrayList<>();
  private final StringBuilder read = new StringBuilder();
  private boolean isOpen;
  private int braces;
  private int lastEnd;

  private DashboardVariables(String written, Alone alone) {
    this.written = written;
    this.alone = alone;
  }

  /**
   * A query with values for its variables, in the order in which to try them: one reading where no
   * variable stands alone, and none where there are too many variables.
   *
   * @param scalar where it stands
   */
  static List<QueryText> readings(String query, Scalar scalar) {
    List<QueryText> readings = new ArrayList<>();
    if (ANY.matcher(query).results().limit(MOST_VARIABLES + 1).count() > MOST_VARIABLES) {
      return readings;
    }
    for (Alone each : Alone.values()) {
      DashboardVariables variables = new DashboardVariables(query, each);
      variables.replaceAll();
      readings.add(new QueryText(scalar, variables.read.toString(), variables.replaced));
      if (!variables.isOpen) {
        break;
      }
    }
    return readings;
  }

  private void replaceAll() {
    Matcher part = PART.matcher(written);
    while (part.find()) {
      if (part.group("text") != null) {
        read.append(marked(part.group()));
      } else if (part.group("range") != null) {
        read.append('[').append(range(part.group("range"))).append(']');
      } else if (part.group("variable") != null) {
        read.append(bare(part.start(), part.end()));
      } else {
        braces += part.group().equals("{") ? 1 : part.group().equals("}") ? -1 : 0;
        read.append(part.group());
      }
    }
  }

  /** A text whose variables are words. */
  private String marked(String text) {
    return ANY.matcher(text).replaceAll(variable -> mark(variable.group()));
  }

  private String mark(String variable) {
    return put(MARK + replaced.size() + "x", variable);
  }

  private String put(String value, String variable) {
    replaced.add(new Replacement(value, variable));
    return value;
  }

  private String range(String range) {
    return DURATION.matcher(range)
        .replaceAll(
            part ->
                Matcher.quoteReplacement(
                    ANY.matcher(part.group()).find() ? duration(part.group()) : part.group()));
  }

  private String duration(String variable) {
    return put(PromTime.text(RANGE_MILLIS + 2L * replaced.size()), variable.strip());
  }

  /** What stands for a variable outside of texts and ranges. */
  private String bare(int begin, int end) {
    isOpen = true;
    String variable = written.substring(begin, end);
    String before =
        written.substring(Math.max(0, begin - FAR_ENOUGH), begin).stripTrailing();
    String after =
        written.substring(end, Math.min(written.length(), end + FAR_ENOUGH)).stripLeading();
    boolean isPart =
        begin > 0 && (begin == lastEnd || isWord(written.charAt(begin - 1)))
            || end < written.length()
                && (isWord(written.charAt(end))
                    || ANY.matcher(written).region(end, written.length()).lookingAt());
    lastEnd = end;
    if (isPart) {
      return mark(variable);
    }
    if (before.endsWith("offset")) {
      return duration(variable);
    }
    if (braces > 0) {
      boolean isLabel = after.startsWith("=") || after.startsWith("!");
      return isLabel ? mark(variable) : put(mark("") + "=~\".*\"", variable);
    }
    boolean isFirstOfMore =
        before.endsWith("(") && after.startsWith(",") && !LIST_OF_LABELS.matcher(before).matches();
    return alone == Alone.NUMBER || alone == Alone.UNTOLD && isFirstOfMore
        ? put(ExpressionText.number(NUMBER + 2e-7 * replaced.size()), variable)
        : mark(variable);
  }

  private static boolean isWord(char letter) {
    return Character.isLetterOrDigit(letter) || letter == '_' || letter == ':';
  }

  /**
   * The expression of a reading, and the reading with all that stands for variables.
   *
   * @throws tallystick.promql.PromqlException if it is none
   */
  static Parsed parsed(QueryText reading) {
    List<Replacement> replaced = new ArrayList<>(reading.replaced());
    Expression expression =
        Expressions.map(
            PromqlParser.parse(reading.read()),
            each -> each instanceof VectorSelector selector ? open(selector, replaced) : each);
    return new Parsed(new QueryText(reading.scalar(), reading.read(), replaced), expression);
  }

  /** A reading that is PromQL. */
  record Parsed(QueryText text, Expression expression) {}

  private static VectorSelector open(VectorSelector selector, List<Replacement> replaced) {
    List<LabelMatcher> matchers =
        selector.matchers().stream()
            .map(matcher -> matcher.value().contains(MARK) ? open(matcher, replaced) : matcher)
            .toList();
    return new VectorSelector(matchers, selector.timing(), selector.at());
  }

  private static LabelMatcher open(LabelMatcher matcher, List<Replacement> replaced) {
    LabelMatcher open =
        new LabelMatcher(
            matcher.label(), LabelMatcher.Operator.MATCHES, MATCHES_ALL + replaced.size());
    replaced.add(
        new Replacement(
            open.toString(),
            matcher.label().equals(Labels.NAME)
                ? Labels.NAME + matcher.operator().symbol() + '"' + matcher.value() + '"'
                : matcher.toString()));
    return open;
  }

  /** Whether a condition is on a variable. */
  static boolean isOpen(LabelMatcher matcher) {
    return matcher.value().startsWith(MATCHES_ALL);
  }
}
