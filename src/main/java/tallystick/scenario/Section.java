package tallystick.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.reach.SecretName;
import tallystick.scenario.ValueType.Key;
import tallystick.scenario.ValueType.Keys;

/**
 * A mapping of the scenario whose keys have been checked against the table of its section.
 *
 * @param name path of the mapping, for example {@code workload}; empty for the whole file
 * @param table the valid keys
 * @param example what messages of a missing key show to write
 * @param isAlone whether a value was written in place of the mapping
 */
record Section(Node.Mapping mapping, String name, Keys table, String example, boolean isAlone) {
  /**
   * Opens a mapping.
   *
   * @throws ScenarioException if the node is no mapping or has an unknown key
   */
  static Section of(Node node, String name, Keys table) {
    return of(new ScenarioValue(node.origin(), name, node, table, ""));
  }

  /** Opens a value that must be a mapping with the keys of its type, or stand for one of them. */
  static Section of(ScenarioValue value) {
    Keys table = value.keys();
    if (!(value.node() instanceof Node.Mapping mapping)) {
      if (!table.alone().isEmpty()) {
        Node.Mapping whole = Node.Mapping.of(value.origin(), table.alone(), value.node());
        return new Section(whole, value.path(), table, value.example(), true);
      }
      if (!table.shape().isEmpty()) {
        throw value.wrong(table.shape());
      }
      throw value.node().origin().error(
          (value.path().isEmpty() ? "a scenario" : value.path())
              + " must be keys and values, was " + value.node().shown(),
          "valid keys are " + String.join(", ", table.names()));
    }
    List<String> known = table.names();
    mapping.entries().forEach((key, entry) -> check(key, entry, value.path(), known));
    Section section = new Section(mapping, value.path(), table, value.example(), false);
    table.rules().forEach(section::check);
    return section;
  }

  private static void check(String key, Node.Entry entry, String name, List<String> keys) {
    if (!keys.contains(key)) {
      throw unknown(key, entry, name, keys);
    }
  }

  static ScenarioException unknown(
      String key, Node.Entry entry, String name, List<String> keys) {
    String place = name.isEmpty() ? "the scenario" : name;
    SourceLocation origin =
        SecretName.is(key) ? entry.origin().withoutSecrets() : entry.origin();
    return origin.error(
        "unknown key \"" + key + "\" in " + place, UnknownKey.remedy(key, entry, name, keys));
  }

  /** Refuses too many or too few of some keys. */
  void check(ValueType.Rule rule) {
    List<String> written = rule.names().stream().filter(this::has).toList();
    if (rule.least() == 0 && written.size() > rule.most()) {
      throw originOf(written.getLast()).error(
          String.join(" and ", written) + " are both written", "keep one of them");
    }
    if (written.size() < rule.least() || written.size() > rule.most()) {
      String has = written.isEmpty() ? "" : " has " + String.join(" and ", written) + ", but";
      throw origin().error(
          name + has + " must have " + (rule.most() == 1 ? "exactly" : "at least") + " one of "
              + String.join(", ", rule.names()),
          "write for example " + example
              + (name.endsWith("]") && written.size() > 1
                  ? ", and another for " + written.getLast()
                  : ""));
    }
  }

  /** The same section, whose missing keys are looked up in another one. */
  Section orElse(Section fallback, List<String> inherited) {
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    inherited.forEach(key -> {
      if (fallback.has(key)) {
        entries.put(key, fallback.mapping.entries().get(key));
      }
    });
    entries.putAll(mapping.entries());
    return new Section(new Node.Mapping(mapping.origin(), entries), name, table, example, false);
  }

  SourceLocation origin() {
    return mapping.origin();
  }

  /** Path of a key, for messages: {@code workload.rate}. */
  String path(String key) {
    return name.isEmpty() ? key : isAlone ? name : name + "." + key;
  }

  boolean has(String key) {
    return mapping.entries().containsKey(key);
  }

  /** Where a key was written, for mistakes that are about the key rather than its value. */
  SourceLocation originOf(String key) {
    return has(key) ? mapping.entries().get(key).origin() : origin();
  }

  /** The value of a key, if it was written. */
  Optional<ScenarioValue> find(String key) {
    Key known = table.get(key);
    return Optional.ofNullable(mapping.entries().get(key))
        .map(entry -> ScenarioValue.of(known, path(key), entry.origin(), entry.value()));
  }

  /** The value of a key that must be there, or for which the table has one. */
  ScenarioValue get(String key) {
    Key known = table.get(key);
    return find(key)
        .or(() -> Optional.of(known.unwritten().value())
            .filter(value -> !value.isEmpty())
            .map(
                text ->
                    ScenarioValue.of(
                        known, path(key), origin(), YamlTree.parse(text, line -> origin()))))
        .orElseGet(() -> require(key, table.isShownWhole() ? example : withRest(known)));
  }

  /** An objective is shown whole, with what is missing. */
  private String withRest(Key missing) {
    return name.contains("objectives[") && table.names().containsAll(mapping.entries().keySet())
        ? mapping.line().replaceFirst("}$", ", " + missing.written() + "}")
        : missing.written();
  }

  /**
   * The value of a key that must be there.
   *
   * @param remedy what to write, for example {@code rate: 8}
   */
  ScenarioValue require(String key, String remedy) {
    return find(key)
        .orElseThrow(
            () -> origin().error(path(key) + " is missing", "write for example " + remedy));
  }

  /** Refuses a key that has no meaning here. */
  void refuse(String key, String why) {
    if (has(key)) {
      throw originOf(key).error(
          path(key) + " has no meaning here: " + why,
          "remove it (or --set " + path(key) + "=null)");
    }
  }

  /** The value of the one key that is written, where its table allows one. */
  ScenarioValue only() {
    return all().values().iterator().next();
  }

  /** Every key that is written, with its value. */
  Map<String, ScenarioValue> all() {
    Map<String, ScenarioValue> values = new LinkedHashMap<>();
    mapping.entries().keySet().forEach(key -> values.put(key, find(key).orElseThrow()));
    return values;
  }
}
