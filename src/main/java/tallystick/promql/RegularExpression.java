package tallystick.promql;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A regular expression as Prometheus reads it, anchored at both ends. What it matches takes a time
 * that grows with the text, whatever the expression.
 */
record RegularExpression(Pattern pattern) {
  /** What one part may be: nothing inside a quote, a class or a name counts as a repetition. */
  private static final Pattern PART =
      Pattern.compile(
          "(?s)\\\\Q.*?(?:\\\\E|\\z)|\\\\[pPx]\\{[^}]*\\}|\\\\."
              + "|\\[\\^?\\]?(?:\\[:\\^?\\w+:\\]|\\\\.|[^\\]\\\\])*\\]"
              + "|\\{(0|[1-9]\\d{0,3})(?:,(0|[1-9]\\d{0,3})?)?\\}|.");

  private static final Pattern NO_ESCAPE = Pattern.compile("\\\\[^\\x00-\\x7F]");
  private static final int MOST_REPEATS = 1000; // as Go's regexp has it
  private static final int MOST_NESTED = 1000; // as Go's regexp has it

  /**
   * Reads an expression.
   *
   * @throws PromqlException if Prometheus would refuse it
   */
  static RegularExpression read(String text) {
    refuseWhatGoRefuses(text);
    try {
      return new RegularExpression(Pattern.compile(text, Pattern.DOTALL));
    } catch (PatternSyntaxException e) {
      boolean isStray = e.getPattern().equals("stack underflow");
      throw fault(text, isStray ? "unexpected )" : e.getDescription() + " " + e.getPattern());
    } catch (StackOverflowError e) {
      throw tooDeep();
    }
  }

  /** Whether the whole text is what the expression says. */
  boolean matches(String text) {
    return match(text).isPresent();
  }

  /** From a group's name or number to what it holds, if the expression matches the whole text. */
  Optional<UnaryOperator<String>> match(String text) {
    Matcher matcher = pattern.matcher(text);
    try {
      return matcher.matches() ? Optional.of(name -> group(matcher, name)) : Optional.empty();
    } catch (StackOverflowError e) {
      throw tooDeep();
    }
  }

  private String group(Matcher matcher, String name) {
    int number =
        name.matches("\\d{1,6}")
            ? Integer.parseInt(name)
            : pattern.namedGroups().getOrDefault(name, Integer.MAX_VALUE);
    String held = number <= matcher.groupCount() ? matcher.group(number) : null;
    return held == null ? "" : held;
  }

  /**
   * Prometheus counts repetitions inside repetitions together, bounds how deep groups nest, and
   * knows no escape of a letter beyond ASCII; RE2/J takes all that.
   */
  private static void refuseWhatGoRefuses(String text) {
    // For each open group, how often what is in it repeats at most.
    Deque<Integer> inside = new ArrayDeque<>();
    inside.push(1);
    int last = 1;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      String found = part.group();
      if (found.equals(")") && inside.size() > 1) {
        last = Math.max(inside.pop(), last);
      } else if (part.group(1) != null) {
        last *= Integer.parseInt(part.group(part.group(2) == null ? 1 : 2));
      } else if (!"*+?|".contains(found)) {
        inside.push(Math.max(inside.pop(), last));
        last = 1;
      }
      if (found.equals("(")) {
        inside.push(1);
      }
      if (last > MOST_REPEATS) {
        throw fault(text, "invalid repeat count: more than " + MOST_REPEATS + " times in all");
      } else if (inside.size() > MOST_NESTED) {
        throw fault(text, "expression nests too deeply");
      } else if (NO_ESCAPE.matches(found)) {
        throw fault(text, "invalid escape sequence " + found);
      }
    }
  }

  private static PromqlException fault(String text, String what) {
    return new PromqlException("regular expression " + text + ": " + what, 0);
  }

  /** RE2/J walks expressions by recursion, which Prometheus does not. */
  private static NotUnderstoodException tooDeep() {
    return new NotUnderstoodException("a regular expression that nests so deeply", 0);
  }
}
