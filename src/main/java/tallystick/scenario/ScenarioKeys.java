package tallystick.scenario;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tallystick.reach.SecretPlace;
import tallystick.scenario.ValueType.Key;
import tallystick.scenario.ValueType.Keys;
import tallystick.scenario.ValueType.Rule;
import tallystick.scenario.ValueType.Shared;
import tallystick.scenario.ValueType.Unwritten;

/**
 * Every key of a scenario with its type, bounds, example and description, as {@code
 * scenario-keys.txt} has them; its head says how a line is read.
 */
final class ScenarioKeys {
  /** Form of a label's name, as Prometheus has it. */
  static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*";

  private static final Map<String, String> OF_THE_CODE =
      Map.of(
          "LABEL", LABEL,
          "ENV_NAME", SecretPlace.ENV_NAME,
          "FORMATS", String.join(", ", DatasetFormat.names()),
          "MOST_TOKENS", Integer.toString(Lengths.MOST),
          "MOST_ENTRIES", Integer.toString(Dataset.MOST_ENTRIES));
  private static final Pattern LIST =
      Pattern.compile("list of (?:(\\d+)(\\.\\.(\\d+)?)? )?(.*)");
  private static final ScenarioKeys TABLE = new ScenarioKeys();

  /** The keys of the file's first level. */
  static final Keys FIRST_LEVEL = TABLE.section("scenario");

  static final Keys REQUEST = TABLE.section("request");
  static final Keys WORKLOAD = TABLE.section("workload");

  /** What can be said of a class, in the workload for all or in the class itself. */
  static final Keys OF_CLASS = TABLE.section("of_class");

  static final Keys CLASS = TABLE.section("class");

  /** What an objective can judge. */
  static final Keys METRICS = TABLE.section("metrics");

  /** What a metric of an exporter may mean. */
  static final Keys MEANINGS = TABLE.section("meanings");

  static final Keys TARGET_LIST = TABLE.section("target_list");
  static final Shared OBJECTIVE = (Shared) TABLE.named("objective");
  static final Shared CLASS_OBJECTIVE = (Shared) TABLE.named("class_objective");
  static final Shared SECRET_PLACE = (Shared) TABLE.named("secret_place");
  static final Shared TOKENS = (Shared) TABLE.named("tokens");

  /** Name of a section → its lines, its traits first. */
  private final Map<String, List<String>> sections = new HashMap<>();

  /** Name of a type → its line. */
  private final Map<String, String> types = new HashMap<>();

  private final Map<String, ValueType> read = new HashMap<>();

  private ScenarioKeys() {
    List<String> section = new ArrayList<>();
    for (String written : TableLines.of(ScenarioKeys.class, "scenario-keys.txt")) {
      String line = filled(written);
      if (line.startsWith("[")) {
        int end = line.indexOf(']');
        section = new ArrayList<>(List.of(line.substring(end + 1).strip()));
        sections.put(line.substring(1, end), section);
      } else if ("~=&".indexOf(line.charAt(0)) >= 0) {
        types.put(line.substring(2, line.indexOf(" |")), line);
      } else {
        section.add(line);
      }
    }
  }

  private static String filled(String line) {
    String filled = line;
    for (Map.Entry<String, String> one : OF_THE_CODE.entrySet()) {
      filled = filled.replace(one.getKey(), one.getValue());
    }
    return filled;
  }

  private static List<String> cells(String line, int most) {
    return Stream.of(line.split("\\|", most)).map(String::strip).toList();
  }

  /** Words of others, each with what to write instead: "foreign keys" and the like. */
  static Map<String, String> remedies(String section) {
    Map<String, String> remedies = new HashMap<>();
    List<String> lines = TABLE.sections.get(section);
    for (String line : lines.subList(1, lines.size())) {
      List<String> cells = cells(line, 2);
      words(cells.getFirst()).forEach(word -> remedies.put(word, cells.getLast()));
    }
    return remedies;
  }

  private Keys section(String name) {
    if (!read.containsKey(name + "]")) {
      read.put(name + "]", keys(sections.get(name)));
    }
    return (Keys) read.get(name + "]");
  }

  private Keys keys(List<String> lines) {
    List<Key> keys = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (line.startsWith("+")) {
        keys.addAll(section(line.substring(2)).keys());
      } else {
        List<String> cells = cells(line, 5);
        keys.add(
            new Key(
                cells.get(0), type(cells.get(1)), cells.get(2), unwritten(cells.get(3)),
                cells.get(4)));
      }
    }
    String shape = "";
    String alone = "";
    boolean isShownWhole = false;
    List<Rule> rules = new ArrayList<>();
    for (String trait : lines.getFirst().split("; ")) {
      String[] parts = trait.split(": ", 2);
      String rest = parts[parts.length - 1];
      switch (parts[0]) {
        case "shape", "all" -> {
          shape = rest;
          isShownWhole = parts[0].equals("all");
        }
        case "alone" -> alone = rest;
        case "one" -> rules.add(new Rule(1, 1, keys.stream().map(Key::name).toList()));
        case "one of" -> rules.add(new Rule(1, 1, section(rest).names()));
        case "some of" -> rules.add(new Rule(1, words(rest).size(), words(rest)));
        case "not both" -> rules.add(new Rule(0, 1, words(rest)));
        default -> { }
      }
    }
    return new Keys(shape, isShownWhole, alone, keys, rules);
  }

  private static List<String> words(String list) {
    return List.of(list.split(", "));
  }

  private static Unwritten unwritten(String cell) {
    if (cell.startsWith("=")) {
      String[] parts = cell.substring(1).split(" ~ ");
      return new Unwritten(parts[0], parts[parts.length - 1]);
    }
    return switch (cell) {
      case "must" -> ValueType.MUST;
      case "-" -> ValueType.NOTHING;
      default -> new Unwritten("", cell);
    };
  }

  private ValueType type(String written) {
    List<ValueType> options = Stream.of(written.split(" or ")).map(this::option).toList();
    return options.size() == 1 ? options.getFirst() : new ValueType.Either(options);
  }

  private ValueType option(String written) {
    List<String> words = List.of(written.split(" "));
    String last = words.getLast();
    return switch (words.getFirst()) {
      case "text" -> ValueType.TEXT;
      case "flag" -> new ValueType.Flag();
      case "fields" -> new ValueType.Fields();
      case "share" -> new ValueType.Share(true);
      case "inner" -> new ValueType.Share(false);
      case "time" -> new ValueType.Time(words.size() == 1 ? "" : last);
      case "at" -> new ValueType.Number(Double.parseDouble(last), false, Double.MAX_VALUE);
      case "above" ->
          new ValueType.Number(
              Double.parseDouble(words.get(1)), true,
              words.size() == 2 ? Double.MAX_VALUE : Double.parseDouble(last));
      case "integer" ->
          words.size() == 1
              ? new ValueType.Whole(Long.MIN_VALUE, Long.MAX_VALUE)
              : new ValueType.Whole(Long.parseLong(words.get(1)), Long.parseLong(last));
      case "names" ->
          new ValueType.Names(
              words.get(1), option(written.substring(written.indexOf(" of ") + 4)));
      case "word", "word:" -> choice(written);
      case "list" -> list(written);
      default ->
          written.startsWith("{")
              ? section(written.substring(1, written.length() - 1))
              : named(written);
    };
  }

  private static ValueType choice(String written) {
    int colon = written.indexOf(": ");
    return new ValueType.Choice(
        written.substring(4, colon).strip(), words(written.substring(colon + 2)));
  }

  private ValueType list(String written) {
    Matcher list = LIST.matcher(written);
    list.matches();
    int least = list.group(1) == null ? 1 : Integer.parseInt(list.group(1));
    boolean isOpen = list.group(1) == null || list.group(2) != null && list.group(3) == null;
    int most = list.group(3) == null ? least : Integer.parseInt(list.group(3));
    return new ValueType.ListOf(option(list.group(4)), least, isOpen ? Integer.MAX_VALUE : most);
  }

  /** A type that has a line of its own. */
  private ValueType named(String name) {
    if (!read.containsKey(name)) {
      String line = types.get(name);
      List<String> cells = cells(line.substring(2), line.startsWith("~") ? 3 : 4);
      read.put(
          name,
          switch (line.charAt(0)) {
            case '~' -> new ValueType.Text(cells.get(2), cells.get(1));
            case '&' -> type(cells.get(1));
            default -> new Shared(name, type(cells.get(1)), cells.get(2), cells.get(3));
          });
    }
    return read.get(name);
  }
}
