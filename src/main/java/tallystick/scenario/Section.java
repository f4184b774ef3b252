package tallystick.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A mapping of the scenario whose keys have been checked against the valid ones. */
final class Section {
  private final Node.Mapping mapping;
  private final String name;

  private Section(Node.Mapping mapping, String name) {
    this.mapping = mapping;
    this.name = name;
  }

  /**
   * Opens a mapping.
   *
   * @param name path of the mapping, for example {@code workload}; empty for the whole file
   * @param keys the valid keys
   * @throws ScenarioException if the node is no mapping or has an unknown key
   */
  static Section of(Node node, String name, List<String> keys) {
    if (!(node instanceof Node.Mapping mapping)) {
      throw node.origin()
          .error(
              (name.isEmpty() ? "a scenario" : name) + " must be keys and values, was "
                  + node.shown(),
              "valid keys are " + String.join(", ", keys));
    }
    mapping.entries().forEach((key, entry) -> check(key, entry, name, keys));
    return new Section(mapping, name);
  }

  /** Opens a value that must be a mapping with these keys. */
  static Section of(ScenarioValue value, List<String> keys) {
    return of(value.node(), value.path(), keys);
  }

  private static void check(String key, Node.Entry entry, String name, List<String> keys) {
    if (keys.contains(key)) {
      return;
    }
    String place = name.isEmpty() ? "the scenario" : name;
    throw entry.origin().error(
        "unknown key \"" + key + "\" in " + place,
        ScenarioKeys.remedy(key, name, keys));
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
    return new Section(new Node.Mapping(mapping.origin(), entries), name);
  }

  SourceLocation origin() {
    return mapping.origin();
  }

  /** Path of a key, for messages: {@code workload.rate}. */
  String path(String key) {
    return name.isEmpty() ? key : name + "." + key;
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
    return Optional.ofNullable(mapping.entries().get(key))
        .map(entry -> new ScenarioValue(entry.origin(), path(key), entry.value()));
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

  /** Every key with its value. */
  Map<String, ScenarioValue> all() {
    Map<String, ScenarioValue> values = new LinkedHashMap<>();
    mapping.entries().keySet().forEach(key -> values.put(key, find(key).orElseThrow()));
    return values;
  }
}
