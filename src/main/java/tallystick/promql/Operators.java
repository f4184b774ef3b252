package tallystick.promql;

import java.util.List;
import java.util.Set;

/** The binary operators of PromQL: how tightly they bind and what they compute. */
final class Operators {
  /** Weakest first. */
  private static final List<Set<String>> LEVELS =
      List.of(
          Set.of("or"),
          Set.of("and", "unless"),
          Set.of("==", "!=", "<=", "<", ">=", ">"),
          Set.of("+", "-"),
          Set.of("*", "/", "%", "atan2"),
          Set.of("^"));

  /** The level at which a sign binds: tighter than sums, weaker than powers. */
  static final int SIGN_LEVEL = 4;

  private Operators() {}

  /** Strength of an operator; -1 if the word is none. */
  static int level(String operator) {
    for (int i = 0; i < LEVELS.size(); i++) {
      if (LEVELS.get(i).contains(operator)) {
        return i;
      }
    }
    return -1;
  }

  static boolean isRightAssociative(String operator) {
    return operator.equals("^");
  }

  static boolean isComparison(String operator) {
    return level(operator) == 2;
  }

  static boolean isSet(String operator) {
    return operator.equals("or") || LEVELS.get(1).contains(operator);
  }

  static double arithmetic(String operator, double left, double right) {
    return switch (operator) {
      case "+" -> left + right;
      case "-" -> left - right;
      case "*" -> left * right;
      case "/" -> left / right;
      case "%" -> left % right;
      case "^" -> Math.pow(left, right);
      case "atan2" -> Math.atan2(left, right);
      default -> throw new IllegalArgumentException("no arithmetic operator: " + operator);
    };
  }

  static boolean holds(String operator, double left, double right) {
    return switch (operator) {
      case "==" -> left == right;
      case "!=" -> left != right;
      case "<=" -> left <= right;
      case "<" -> left < right;
      case ">=" -> left >= right;
      case ">" -> left > right;
      default -> throw new IllegalArgumentException("no comparison: " + operator);
    };
  }
}
