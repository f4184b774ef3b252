package tallystick.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All that the table of keys has against a scenario: unknown keys, values of another type or out of
 * bounds. Who writes from memory sees them in one answer.
 */
final class Mistakes {
  /** With so many mistakes a file to begin with is the shorter way. */
  private static final int MANY = 3;

  /** So many missing keys are told. */
  private static final int MOST = 100;

  private static final Pattern UNKNOWN_KEY = Pattern.compile("unknown key \"(.*)\" in (.*)");

  private static final String TEMPLATE =
      "\n./tally init chat|closed|ramp|conversation|agents > my.yaml writes a commented scenario";

  private final List<ScenarioException> found = new ArrayList<>();

  /** Path of what is missing, or of several of which one is → the mistake. */
  private final Map<String, ScenarioException> missing = new LinkedHashMap<>();

  private Mistakes() {}

  /**
   * A mistake that ended the reading and all others, in the order of lines.
   *
   * @param readers of single sections: what they refuse is more than the table of keys knows
   */
  static ScenarioException with(ScenarioException first, Node tree, List<Runnable> readers) {
    List<ScenarioException> all = new ArrayList<>(List.of(first));
    in(tree).stream().filter(one -> !isSame(one, first)).forEach(all::add);
    List<ScenarioException> others = new ArrayList<>();
    readers.forEach(reader -> keep(others, reader));
    others.stream()
        .filter(one -> all.stream().noneMatch(other -> isSame(one, other)))
        .toList()
        .forEach(all::add);
    if (all.stream().allMatch(one -> one.file().equals(first.file()))) {
      all.sort(Comparator.comparingInt(ScenarioException::line));
    }
    return all.getFirst().and(all.subList(1, all.size()), all.size() < MANY ? "" : TEMPLATE);
  }

  /** Whether two mistakes are of one thing, which a reader says in words of its own. */
  private static boolean isSame(ScenarioException one, ScenarioException other) {
    String said = one.problem();
    String told = other.problem();
    Matcher key = UNKNOWN_KEY.matcher(said);
    boolean isOfOneThing =
        key.matches()
            ? said.equals(told) || told.startsWith(key.group(2)) && told.contains(key.group(1))
            : said.startsWith("unknown ") || told.contains(subject(said))
                || said.contains(subject(told));
    return one.place().equals(other.place()) && isOfOneThing;
  }

  private static String subject(String problem) {
    return problem.split("[: ]", 2)[0];
  }

  /** The mistakes of a whole first level; none where its table has nothing against it. */
  static List<ScenarioException> in(Node tree) {
    Mistakes all = new Mistakes();
    all.check(new ScenarioValue(tree.origin(), "", tree, ScenarioKeys.FIRST_LEVEL, ""));
    List<ScenarioException> found = new ArrayList<>(all.found);
    all.missing.forEach((path, mistake) -> {
      if (all.isNowhere(path)) {
        found.add(mistake);
      }
    });
    return found;
  }

  /** Whether no other word was written for a key that is missing. */
  private boolean isNowhere(String path) {
    String section = path.substring(0, Math.max(0, path.lastIndexOf('.')));
    String word =
        "(?s)(did you mean|write) .*\\b" + path.substring(path.lastIndexOf('.') + 1) + "\\b.*";
    return found.stream()
        .filter(one -> one.problem().startsWith("unknown key"))
        .filter(one -> section.isEmpty() || section.equals("workload")
            || one.problem().endsWith(" in " + section))
        .noneMatch(one -> one.remedy().matches(word));
  }

  private void check(ScenarioValue value) {
    keep(found, () -> judge(value));
  }

  private static void keep(List<ScenarioException> mistakes, Runnable check) {
    try {
      check.run();
    } catch (ScenarioException e) {
      mistakes.add(e);
    }
  }

  private void judge(ScenarioValue value) {
    switch (value.type()) {
      case ValueType.Shared shared -> judge(value.as(shared.of()));
      case ValueType.Either either -> option(either, value.node()).ifPresent(
          option -> judge(value.as(option)));
      case ValueType.Keys keys -> keys(value, keys);
      case ValueType.Names names -> value.entries("keys and values").values().forEach(this::check);
      case ValueType.ListOf list -> value.items().forEach(this::check);
      case ValueType.Text text -> value.text();
      case ValueType.Flag flag -> value.flag();
      case ValueType.Choice choice -> value.word();
      case ValueType.Number number -> value.number();
      case ValueType.Whole whole when whole.most() > Integer.MAX_VALUE -> value.wholeLong();
      case ValueType.Whole whole -> value.count();
      case ValueType.Share share -> value.share();
      case ValueType.Time time -> value.nanos();
      case ValueType.Fields fields -> { }
    }
  }

  private void keys(ScenarioValue value, ValueType.Keys keys) {
    if (!(value.node() instanceof Node.Mapping mapping)) {
      Section.of(value);
      return;
    }
    mapping.entries().forEach((name, entry) -> {
      if (keys.names().contains(name)) {
        String path = value.path().isEmpty() ? name : value.path() + "." + name;
        check(ScenarioValue.of(keys.get(name), path, entry.origin(), entry.value()));
      } else {
        found.add(Section.unknown(name, entry, value.path(), keys.names()));
      }
    });
    Section section = new Section(mapping, value.path(), keys, value.example(), false);
    keys.keys().stream()
        .filter(key -> key.isRequired() || isNeeded(key.name(), section))
        .filter(key -> missing.size() < MOST)
        .forEach(key -> {
          List<ScenarioException> one = new ArrayList<>();
          keep(one, () -> section.get(key.name()));
          one.forEach(mistake -> missing.put(section.path(key.name()), mistake));
        });
    if (value.path().isEmpty() && section.has("workload") && hasNoExtent(section)) {
      missing.put("(duration|requests)", noExtent(section));
    }
    if (value.path().equals("workload")
        && Stream.of("arrival", "rate", "concurrency").noneMatch(section::has)) {
      missing.put("workload.(rate|concurrency)", ArrivalReader.noLoad(section));
    }
    if (keys.names().containsAll(mapping.entries().keySet())) {
      keys.rules().forEach(rule -> keep(found, () -> section.check(rule)));
    }
  }

  /** Lengths, where nothing else in the workload has them. */
  private static boolean isNeeded(String key, Section section) {
    return section.name().equals("workload")
        && List.of("prompt_tokens", "output_tokens").contains(key)
        && Stream.of("classes", "dataset", "token_pairs").noneMatch(section::has);
  }

  static ScenarioException noExtent(Section root) {
    return root.origin().error(
        "duration and requests are both missing", "write for example duration: 60s");
  }

  /** A rate that changes has a duration of its own, or says itself that it needs one. */
  private static boolean hasNoExtent(Section root) {
    return !root.has("duration") && !root.has("requests")
        && root.find("workload").orElseThrow().node() instanceof Node.Mapping workload
        && !(workload.entries().get("rate") instanceof Node.Entry rate
            && rate.value() instanceof Node.Mapping)
        && !(workload.entries().get("arrival") instanceof Node.Entry arrival
            && arrival.value() instanceof Node.Scalar word && word.text().equals("trace"));
  }

  /** The one of several types that a value is written as; empty where several are. */
  private static Optional<ValueType> option(ValueType.Either either, Node node) {
    List<ValueType> fitting =
        either.options().stream().filter(option -> isWrittenAs(option, node)).toList();
    return fitting.size() == 1 ? Optional.of(fitting.getFirst()) : Optional.empty();
  }

  private static boolean isWrittenAs(ValueType type, Node node) {
    return switch (type) {
      case ValueType.Shared shared -> isWrittenAs(shared.of(), node);
      case ValueType.Either either -> either.options().stream().anyMatch(o -> isWrittenAs(o, node));
      case ValueType.Keys keys -> node instanceof Node.Mapping;
      case ValueType.Names names -> node instanceof Node.Mapping;
      case ValueType.Fields fields -> node instanceof Node.Mapping;
      case ValueType.ListOf list -> node instanceof Node.Sequence;
      default -> node instanceof Node.Scalar;
    };
  }
}
