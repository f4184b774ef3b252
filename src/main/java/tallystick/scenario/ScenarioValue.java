package tallystick.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * One value of the scenario, taken apart into the type its key wants.
 *
 * @param origin where its key was written
 * @param path its path, for example {@code workload.rate}
 * @param node what was written
 */
record ScenarioValue(SourceLocation origin, String path, Node node) {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
  private static final long LONGEST_NANOS = 30 * 86_400 * 1_000_000_000L;

  /** The items of a list that must hold at least one. */
  List<ScenarioValue> items(String example) {
    if (!(node instanceof Node.Sequence sequence)) {
      throw wrong("a list", example);
    }
    if (sequence.items().isEmpty()) {
      throw origin.error(path + " is an empty list", "write for example " + example);
    }
    List<ScenarioValue> values = new ArrayList<>();
    for (Node item : sequence.items()) {
      values.add(new ScenarioValue(item.origin(), path + "[" + values.size() + "]", item));
    }
    return values;
  }

  /** The values of names that the user chooses. */
  Map<String, ScenarioValue> entries(String example) {
    if (!(node instanceof Node.Mapping mapping)) {
      throw wrong("names and values", example);
    }
    Map<String, ScenarioValue> values = new LinkedHashMap<>();
    mapping.entries().forEach(
        (name, entry) ->
            values.put(name, new ScenarioValue(entry.origin(), path + "." + name, entry.value())));
    return values;
  }

  boolean isMapping() {
    return node instanceof Node.Mapping;
  }

  boolean isList() {
    return node instanceof Node.Sequence;
  }

  boolean isNumber() {
    return node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NUMBER;
  }

  /** Text, or anything else that was written as one word. */
  String text(String example) {
    if (node instanceof Node.Scalar scalar && scalar.kind() != Node.Kind.NULL) {
      return scalar.text();
    }
    throw wrong("text", example);
  }

  boolean flag() {
    if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.BOOLEAN) {
      return Boolean.parseBoolean(scalar.text());
    }
    throw wrong("true or false", "true");
  }

  double number(String example) {
    if (node instanceof Node.Scalar scalar
        && scalar.kind() == Node.Kind.NUMBER
        && NUMBER.matcher(scalar.text()).matches()
        && Double.isFinite(Double.parseDouble(scalar.text()))) {
      return Double.parseDouble(scalar.text());
    }
    throw wrong("a number", example);
  }

  /** A number above zero. */
  double positive(String example) {
    double number = number(example);
    if (!(number > 0)) {
      throw wrong("above 0", example);
    }
    return number;
  }

  /** A number that is zero or more. */
  double notNegative(String example) {
    double number = number(example);
    if (!(number >= 0)) {
      throw wrong("at least 0", example);
    }
    return number;
  }

  /** A whole number of at least {@code least} and at most {@code most}. */
  int count(int least, int most, String example) {
    double number = number(example);
    if (number != Math.rint(number)) {
      throw wrong("a whole number", example);
    }
    if (number < least || number > most) {
      throw wrong(most == Integer.MAX_VALUE
          ? "at least " + least
          : "between " + least + " and " + most, example);
    }
    return (int) number;
  }

  long wholeLong(String example) {
    double number = number(example);
    try {
      return Long.parseLong(((Node.Scalar) node).text());
    } catch (NumberFormatException e) {
      throw wrong(number == Math.rint(number) ? "within 64 bits" : "a whole number", example);
    }
  }

  /** A share between 0 and 1, as {@code 0.99} or {@code 99%}; the ends only where asked. */
  double share(boolean endsToo, String example) {
    double share = node instanceof Node.Scalar s && s.text().matches("\\d+(\\.\\d+)?%")
        ? Double.parseDouble(s.text().replace("%", "")) / 100
        : number(example);
    boolean isGood = endsToo ? share >= 0 && share <= 1 : share > 0 && share < 1;
    if (!isGood) {
      throw wrong(endsToo ? "from 0 to 1" : "above 0 and below 1", example);
    }
    return share;
  }

  /** A length of time above zero with its unit, in nanoseconds: {@code 2s}, {@code 1m30s}. */
  long durationNanos(String example) {
    long nanos = durationOrZeroNanos(example);
    if (nanos == 0) {
      throw wrong("above 0", example);
    }
    return nanos;
  }

  /** A length of time with its unit, in nanoseconds; zero is allowed. */
  long durationOrZeroNanos(String example) {
    if (isNumber()) {
      throw origin.error(
          path + " has no unit: " + node.shown(),
          "write " + node.shown() + "s for seconds or " + node.shown() + "ms for milliseconds");
    }
    String text = text(example);
    OptionalLong time = LengthOfTime.nanos(text);
    if (time.isEmpty()) {
      throw origin.error(
          path + " must be a length of time, was " + node.shown(),
          LengthOfTime.hint(text).orElse("write for example " + example));
    }
    long nanos = time.getAsLong();
    if (nanos < 0 || nanos > LONGEST_NANOS) {
      throw wrong("from 0 to 30 days", example);
    }
    return nanos;
  }

  /** The mistake that this value is not what its key wants. */
  ScenarioException wrong(String wanted, String example) {
    return origin.error(
        path + " must be " + wanted + ", was " + node.shown(), "write for example " + example);
  }
}
