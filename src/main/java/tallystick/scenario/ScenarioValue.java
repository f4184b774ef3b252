package tallystick.scenario;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One value of the scenario, taken apart into the type its key wants.
 *
 * @param origin where its key was written
 * @param path its path, for example {@code workload.rate}
 * @param node what was written
 * @param type what its key takes
 * @param example what messages show to write
 */
record ScenarioValue(
    SourceLocation origin, String path, Node node, ValueType type, String example) {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");

  /** A variable of a shell or a template, which nobody fills in here. */
  static final Pattern VARIABLE =
      Pattern.compile(
          "\\$\\{(?:env[:.])?(\\w+)[^}]*}|\\$([A-Za-z_]\\w*)"
              + "|\\{\\{\\s*(?:\\w+\\.)*(\\w+)[^}]*}}");

  private static final Pattern WITHOUT_VARIABLES =
      Pattern.compile("model|url|metrics_url|targets?(\\[\\d+])?");
  private static final long LONGEST_NANOS = 30 * 86_400 * 1_000_000_000L;

  /** The key it was written at. */
  String key() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** The same value, told by another example. */
  ScenarioValue like(String otherExample) {
    return new ScenarioValue(origin, path, node, type, otherExample);
  }

  /** The same value, taken for another type. */
  ScenarioValue as(ValueType otherType) {
    return new ScenarioValue(
        origin, path, node, otherType, otherType.example(path).orElse(example));
  }

  /** The items of a list that must hold at least one. */
  List<ScenarioValue> items() {
    if (!(node instanceof Node.Sequence sequence)) {
      throw wrong("a list");
    }
    if (sequence.items().isEmpty()) {
      throw origin.error(path + " is an empty list", "write for example " + example);
    }
    ValueType of = type.find(ValueType.ListOf.class).map(ValueType.ListOf::of).orElse(type);
    List<ScenarioValue> values = new ArrayList<>();
    for (Node item : sequence.items()) {
      String place = path + "[" + values.size() + "]";
      values.add(new ScenarioValue(item.origin(), place, item, of, example).as(of));
    }
    return values;
  }

  /**
   * The items of a list that its type wants so many of.
   *
   * @param wanted what messages call them
   */
  List<ScenarioValue> items(String wanted) {
    List<ScenarioValue> items = items();
    ValueType.ListOf list = type(ValueType.ListOf.class);
    if (items.size() < list.least() || items.size() > list.most()) {
      throw wrong(wanted);
    }
    return items;
  }

  /** The values of names that the user chooses. */
  Map<String, ScenarioValue> entries(String shape) {
    if (!(node instanceof Node.Mapping mapping)) {
      throw wrong(shape);
    }
    ValueType.Names names = type(ValueType.Names.class);
    Map<String, ScenarioValue> values = new LinkedHashMap<>();
    mapping.entries().forEach(
        (name, entry) -> values.put(name, entry(entry, name, names.of())));
    return values;
  }

  /** Values by their names, each read, in the same order. */
  static <T> Map<String, T> each(
      Map<String, ScenarioValue> values, Function<ScenarioValue, T> reader) {
    Map<String, T> read = new LinkedHashMap<>();
    values.forEach((name, value) -> read.put(name, reader.apply(value)));
    return read;
  }

  private ScenarioValue entry(Node.Entry entry, String name, ValueType of) {
    return new ScenarioValue(entry.origin(), path + "." + name, entry.value(), of, example);
  }

  /**
   * What was written for a key.
   *
   * @param path its path
   */
  static ScenarioValue of(ValueType.Key key, String path, SourceLocation origin, Node node) {
    String shown = key.type().example(path).orElse(key.written());
    return new ScenarioValue(origin, path, node, key.type(), shown);
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

  /** The keys that it may have. */
  ValueType.Keys keys() {
    return type(ValueType.Keys.class);
  }

  /** Text, or anything else that was written as one word, in the form of its type. */
  String text() {
    if (!(node instanceof Node.Scalar scalar) || scalar.kind() == Node.Kind.NULL) {
      throw wrong("text");
    }
    refuseVariables(scalar.text());
    type.find(ValueType.Text.class)
        .filter(text -> !text.wanted().isEmpty() && !scalar.text().matches(text.form()))
        .ifPresent(
            text -> {
              throw wrong(text.wanted());
            });
    return scalar.text();
  }

  private void refuseVariables(String text) {
    Matcher variable = VARIABLE.matcher(text);
    if (WITHOUT_VARIABLES.matcher(key()).matches() && variable.find()) {
      String typed =
          withoutUser(variable.replaceAll(one -> Matcher.quoteReplacement("$" + nameOf(one))));
      throw origin.withoutSecrets().error(
          path + " has a variable, and a scenario's variables are not expanded",
          "write it out, or give --set " + path.replaceAll("\\[(\\d+)]", ".$1")
              + "=\"" + typed + "\"");
    }
  }

  /** A user in an address may have a password, and its query a key. */
  static String withoutUser(String address) {
    return address.replaceAll("//\\S*@", "//…@").replaceAll("(//[^?\\s]*[?])\\S+", "$1…");
  }

  /** The name of a variable that was found. */
  static String nameOf(MatchResult variable) {
    return IntStream.rangeClosed(1, 3)
        .mapToObj(variable::group)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  /** One of the words that its type names. */
  String word() {
    ValueType.Choice choice = type(ValueType.Choice.class);
    String word = text();
    if (choice.words().contains(word)) {
      return word;
    }
    if (choice.noun().isEmpty()) {
      throw wrong(String.join(", ", choice.words()).replaceFirst(", ([^,]*)$", " or $1"));
    }
    throw unknownWord(choice.noun(), choice.words());
  }

  ScenarioException unknownWord(String noun, List<String> words) {
    String said = withoutUser(text());
    return origin.error(
        "unknown " + noun + " \"" + said + "\"",
        said.matches("https?://.*") ? "write target: " + said : NearestKey.remedy(said, words));
  }

  boolean flag() {
    if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.BOOLEAN) {
      return Boolean.parseBoolean(scalar.text());
    }
    throw like("true").wrong("true or false");
  }

  /** A number within the ends of its type. */
  double number() {
    ValueType.Number ends = type(ValueType.Number.class);
    double number = anyNumber();
    if (ends.isAbove() ? !(number > 0) : number < ends.least()) {
      throw wrong(ends.isAbove() ? "above 0" : "at least " + shown(ends.least()));
    }
    if (number > ends.most() || number < ends.least()) {
      throw wrong(
          ends.least() > 0
              ? "from " + shown(ends.least()) + " to " + shown(ends.most())
              : "at most " + shown(ends.most()));
    }
    return number;
  }

  private static String shown(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  /** Any number that is finite. */
  double anyNumber() {
    if (node instanceof Node.Scalar scalar
        && scalar.kind() == Node.Kind.NUMBER
        && NUMBER.matcher(scalar.text()).matches()
        && Double.isFinite(Double.parseDouble(scalar.text()))) {
      return Double.parseDouble(scalar.text());
    }
    throw wrong("a number");
  }

  /** A whole number within the ends of its type. */
  int count() {
    ValueType.Whole ends = type(ValueType.Whole.class);
    double number = wholeNumber();
    if (number < ends.least() || number > ends.most()) {
      throw wrong("between " + ends.least() + " and " + ends.most());
    }
    return (int) number;
  }

  long wholeLong() {
    wholeNumber();
    try {
      return Long.parseLong(((Node.Scalar) node).text());
    } catch (NumberFormatException e) {
      throw wrong("within 64 bits");
    }
  }

  private double wholeNumber() {
    double number = anyNumber();
    if (number != Math.rint(number)) {
      throw wrong("a whole number");
    }
    return number;
  }

  /** A share between 0 and 1, as {@code 0.99} or {@code 99%}; the ends only where its type says. */
  double share() {
    boolean hasEnds = type(ValueType.Share.class).hasEnds();
    double share = node instanceof Node.Scalar s && s.text().matches("\\d+(\\.\\d+)?%")
        ? Double.parseDouble(s.text().replace("%", "")) / 100
        : anyNumber();
    boolean isGood = hasEnds ? share >= 0 && share <= 1 : share > 0 && share < 1;
    if (!isGood) {
      Optional<String> meant = shareOf(Double.toString(share));
      ScenarioValue shown = meant.map(it -> like(key() + ": " + it)).orElse(this);
      throw shown.wrong(hasEnds ? "from 0 to 1" : "above 0 and below 1");
    }
    return share;
  }

  /** The share that a percentile is, from 10 to below 100; empty for any other number. */
  static Optional<String> shareOf(String percentile) {
    return Optional.of(percentile)
        .filter(text -> text.matches("[1-9]\\d(\\.\\d{1,9})?"))
        .map(text -> shown(new BigDecimal(text).movePointLeft(2).doubleValue()));
  }

  /** A length of time with its unit, in nanoseconds: {@code 2s}, {@code 1m30s}. */
  long nanos() {
    String least = type(ValueType.Time.class).least();
    if (isNumber()) {
      throw origin.error(
          path + " has no unit: " + node.shown(),
          "write " + node.shown() + "s for seconds or " + node.shown() + "ms for milliseconds");
    }
    String text = text();
    OptionalLong time = LengthOfTime.nanos(text);
    if (time.isEmpty()) {
      throw origin.error(
          path + " must be a length of time, was " + node.shown(),
          LengthOfTime.hint(text).orElse("write for example " + example));
    }
    long nanos = time.getAsLong();
    long fewest = least.isEmpty() ? 1 : LengthOfTime.nanos(least).orElse(0);
    if (nanos < fewest || nanos > LONGEST_NANOS) {
      throw wrong(
          least.isEmpty() ? "above 0 and at most 30 days" : "from " + least + " to 30 days");
    }
    return nanos;
  }

  /** The mistake that this value is not what its key wants. */
  ScenarioException wrong(String wanted) {
    return origin.error(
        path + " must be " + wanted + ", was " + node.shown(), "write for example " + example);
  }

  private <T extends ValueType> T type(Class<T> kind) {
    return type
        .find(kind)
        .orElseThrow(() -> new IllegalStateException(path + " takes no " + kind.getSimpleName()));
  }
}
