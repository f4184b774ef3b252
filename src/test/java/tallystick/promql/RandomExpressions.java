package tallystick.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Expressions made at random: most are PromQL, some are nearly so. What only Prometheus 3 reads is
 * left out, so that a parser of 2.42 can judge them.
 */
final class RandomExpressions {
  private static final List<String> NAMES =
      List.of(
          "up", "vllm:num_requests_running", "a:b:c", "x_total", "sum", "by", "on", "bool", "inf",
          "nan", "offset", "start", "end", "and", "without", "group_left", "rate", "_y", ":z",
          "Inf1", "topk", "atan2", "unless", "INF", "e5", "x1h");
  private static final List<String> LABELS =
      List.of("le", "job", "model_name", "by", "on", "sum", "offset", "inf", "and", "bool", "_a");
  private static final List<String> TEXTS =
      List.of(
          "\"a\"", "'a'", "`a`", "\"\"", "'it\\'s'", "\"\\n\\t\\\\\"", "`\\d+`", "\"\\x41\"",
          "\"\\u0041\"", "\"\\101\"", "\"\\a\\b\\f\\v\\r\"", "\"\\q\"", "\"\\'\"", "'\\\"'",
          "\"\\U0001F600\"", "\"\\x4\"", "\"\\777\"", "\"ü\"", "\"a\nb\"", "`a\nb`", "\"\\ud800\"");
  private static final List<String> PATTERNS =
      List.of(
          ".*", ".+", "a|b", "5..|5xx", "(?i)a", "(?i:a)", "[a-z]+", "a{2,3}", "a{2,}", "a{,3}",
          "(?P<n>x)", "(?=a)", "(?!a)", "(?<=a)b", "(a)\\\\1", "a++", "a*+", "(?>a)",
          "[[:alpha:]]", "\\\\pL", "\\\\p{Greek}", "\\\\d\\\\w\\\\s", "\\\\Qa.b\\\\E", "a{1001}",
          "a{1000}", "\\\\z", "\\\\Z", "\\\\A", "\\\\h", "[a", "(a", "a)", "*a", "a**", "\\\\x41",
          "\\\\x{41}", "[a&&b]", "[]a]", "[^]a]", "(?s).", "(?U)a+", "\\\\C", "\\\\R", "\\\\G", "",
          "a?b??", "[z-a]",
          "\\\\_", "\\\\-", "\\\\e", "\\\\cA", "\\\\u0041", "(?x)a", "[\\\\d-z]",
          "a{0}", "x{2}{3}", "$", "^a$", "(|a)", "(?#c)a", "\\\\07", "\\\\8", "1\\\\.0", "a{",
          "a{1", "a}", "]", "[a-\\\\d]", "\\\\p{IsGreek}", "\\\\N", "\\\\b\\\\B", "(?-s)a",
          "(?i-m:a)", "(?m)^a$", "\\\\é", "(a{100}){10}", "(a{100}){11}", "((a{9}){0}){999}",
          "\\\\x{2028}{2}", "a{0010}{9}", "a)(b", "(?-:a)", "[[:^word:]-]", "\\\\pN{2}");
  private static final List<String> NUMBERS =
      List.of(
          "0", "1", "0.5", ".5", "5.", "1e3", "1E-3", "0x1F", "0xg", "010", "089", "Inf", "inf",
          "NaN", "+Inf", "1e", "1.2.3", "1e400", "00", "0x", "1f", "9e99", "08.5", "0777");
  private static final List<String> DURATIONS =
      List.of(
          "5m", "1h30m", "90s", "1d", "1w", "1y", "100ms", "0s", "5m1h", "1.5h",
          "1h5", "5M", "m",
          "1h1h", "1y2w3d4h5m6s7ms", "300y", "-5m", "1ms1s");
  private static final List<String> OPERATORS =
      List.of(
          "+", "-", "*", "/", "%", "^", "==", "!=", "<", ">", "<=", ">=", "and", "or", "unless",
          "atan2", "AND", "=", "=~", "xor");
  private static final List<String> VECTOR_FUNCTIONS =
      List.of("abs", "absent", "ceil", "sort", "sort_desc", "timestamp", "scalar", "sgn", "deg",
          "day_of_week", "minute", "exp", "nosuch", "ABS", "histogram_count", "sinh");
  private static final List<String> RANGE_FUNCTIONS =
      List.of("rate", "increase", "irate", "delta", "max_over_time", "avg_over_time", "changes",
          "absent_over_time", "last_over_time", "deriv", "resets", "quantile", "Rate");
  private static final List<String> AGGREGATIONS =
      List.of("sum", "max", "min", "avg", "count", "group", "stddev", "SUM", "Sum");
  private static final int DEEPEST = 4;

  private final SplittableRandom random;

  RandomExpressions(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** As many as are wanted. */
  List<String> next(int count) {
    List<String> expressions = new ArrayList<>();
    while (expressions.size() < count) {
      String made = vector(0);
      String given = random.nextInt(5) == 0 ? damaged(made) : made;
      if (!given.isBlank()) {
        expressions.add(given);
      }
    }
    return expressions;
  }

  private String vector(int depth) {
    if (depth >= DEEPEST) {
      return selector();
    }
    return switch (random.nextInt(12)) {
      case 0, 1 -> selector();
      case 2 -> one(VECTOR_FUNCTIONS) + "(" + vector(depth + 1) + rarely(",", "") + ")";
      case 3, 4 -> one(RANGE_FUNCTIONS) + "(" + range(depth + 1) + ")";
      case 5, 6 -> aggregation(depth);
      case 7, 8 -> vector(depth + 1) + " " + operator() + " " + operand(depth + 1);
      case 9 -> "(" + vector(depth + 1) + ")" + modifiers(15);
      case 10 -> call(depth);
      default -> rarely(operand(depth + 1), one(List.of("-", "+", "- ", "")) + vector(depth + 1));
    };
  }

  private String call(int depth) {
    return switch (random.nextInt(9)) {
      case 0 -> "histogram_quantile(" + operand(depth + 1) + ", " + vector(depth + 1) + ")";
      case 1 -> "clamp_min(" + vector(depth + 1) + ", " + one(NUMBERS) + ")";
      case 2 -> "label_replace(" + vector(depth + 1) + ", \"a\", \"$1\", \"b\", " + text() + ")";
      case 3 -> "label_join(" + vector(depth + 1) + ", \"a\", \"-\"" + rarely("", ", \"b\"") + ")";
      case 4 -> "vector(" + one(List.of("1", "time()", "x", "1 + 2", "scalar(x)")) + ")";
      case 5 -> "predict_linear(" + range(depth + 1) + ", " + one(NUMBERS) + ")";
      case 6 -> "round(" + vector(depth + 1) + rarely(", 1, 2", ", 5") + ")";
      case 7 -> "hour()" + rarely("()", "");
      default -> "time(" + rarely("x", "") + ") " + operator() + " " + vector(depth + 1);
    };
  }

  private String aggregation(int depth) {
    String name = one(AGGREGATIONS);
    String clause = " " + one(List.of("by", "without", "BY", "By")) + " (" + labels() + ")";
    String inner = "(" + vector(depth + 1) + ")";
    return switch (random.nextInt(7)) {
      case 0 -> name + inner;
      case 1, 2 -> name + clause + inner;
      case 3 -> name + inner + clause;
      case 4 -> one(List.of("topk", "bottomk")) + "(" + operand(depth + 1) + ", x)";
      case 5 -> "count_values(" + text() + ", " + vector(depth + 1) + ")";
      default -> "quantile" + clause + "(0.9, " + vector(depth + 1) + ")";
    };
  }

  private String operator() {
    String operator = one(OPERATORS);
    if (random.nextInt(4) == 0) {
      operator += " bool";
    }
    if (random.nextInt(4) == 0) {
      operator += one(List.of(" on", " ignoring", " ON")) + " (" + labels() + ")";
      if (random.nextInt(2) == 0) {
        operator += one(List.of(" group_left", " group_right"));
        operator += one(List.of("", " (" + labels() + ")", "()"));
      }
    }
    return operator;
  }

  private String operand(int depth) {
    return switch (random.nextInt(4)) {
      case 0, 1 -> one(NUMBERS);
      case 2 -> rarely(text(), "2 * 3");
      default -> vector(depth);
    };
  }

  private String range(int depth) {
    String of = random.nextInt(5) == 0 ? "(" + vector(depth) + ")" : plainSelector();
    String step = random.nextInt(5) == 0 ? ":" + rarely(one(DURATIONS), "1m") : "";
    return of + "[" + rarely(one(DURATIONS), "5m") + step + "]" + modifiers(8);
  }

  private String selector() {
    return plainSelector() + modifiers(8);
  }

  private String plainSelector() {
    List<String> matchers = new ArrayList<>();
    int count = random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String label = rarely("__name__", rarely("a:b", one(LABELS)));
      matchers.add(
          random.nextInt(2) == 0
              ? label + one(List.of("=", "!=", "==")) + text()
              : label + one(List.of("=~", "!~")) + "\"" + one(PATTERNS) + "\"");
    }
    String name = random.nextInt(8) == 0 ? "" : rarely(one(NAMES), "x");
    boolean bare = matchers.isEmpty() && random.nextInt(8) > 0 && !name.isEmpty();
    return bare ? name : name + "{" + String.join(",", matchers) + rarely(",", "") + "}";
  }

  private String modifiers(int seldom) {
    if (random.nextInt(seldom) > 0) {
      return "";
    }
    return switch (random.nextInt(5)) {
      case 0, 1 -> " offset " + rarely(one(DURATIONS), "5m");
      case 2 -> " @ " + one(NUMBERS);
      case 3 -> " @ " + one(List.of("start()", "end()", "start", "-1", "1e9", "x"));
      default -> " offset 5m @ 10" + rarely(" offset 1m", "");
    };
  }

  private String labels() {
    List<String> labels = new ArrayList<>();
    int count = random.nextInt(3);
    for (int i = 0; i < count; i++) {
      labels.add(rarely("a:b", one(LABELS)));
    }
    return String.join(", ", labels) + rarely(",", "");
  }

  private String text() {
    return random.nextInt(3) > 0 ? "\"a\"" : one(TEXTS);
  }

  /** One letter gone, doubled or another. */
  private String damaged(String whole) {
    int at = random.nextInt(whole.length());
    String letters = "()[]{},\"'=~!<> 5mx:@#-;$é";
    String letter = String.valueOf(letters.charAt(random.nextInt(letters.length())));
    return switch (random.nextInt(3)) {
      case 0 -> whole.substring(0, at) + whole.substring(at + 1);
      case 1 -> whole.substring(0, at) + letter + whole.substring(at);
      default -> whole.substring(0, at) + letter + whole.substring(at + 1);
    };
  }

  private String rarely(String odd, String usual) {
    return random.nextInt(12) == 0 ? odd : usual;
  }

  private String one(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** The same as a regular expression, which PromQL writes with every backslash doubled. */
  static Stream<String> patterns() {
    return PATTERNS.stream().map(pattern -> pattern.replace("\\\\", "\\"));
  }
}
