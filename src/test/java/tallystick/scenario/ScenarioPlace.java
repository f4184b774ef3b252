package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A key of the table at a place of a scenario where it can stand.
 *
 * @param path for example {@code workload.rate.ramp.from}
 * @param around a value of the key → the scenario's first level with it
 */
record ScenarioPlace(String path, ValueType.Key key, UnaryOperator<JsonNode> around) {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String BASE =
      "{workload: {rate: 4, prompt_tokens: 256, output_tokens: 64}, duration: 60s}";

  /** What else must be changed, as {@code --set} does it, for a key to have a meaning. */
  private static final Map<String, List<String>> CONTEXTS =
      Map.ofEntries(
          Map.entry("targets_file", List.of("target=http://router:8000")),
          Map.entry("targets_srv", List.of("target=http://router:8000")),
          Map.entry(
              "targets_dns", List.of("target=http://router:8000", "targets_srv=_http._tcp.a")),
          Map.entry("objectives.class", List.of("workload.classes=[{name: chat}]")),
          Map.entry("workload.rate.steps.for", List.of("duration=null")),
          Map.entry("workload.conversation.think_time", List.of("workload.conversation.turns=2")),
          Map.entry("workload.conversation.tools", List.of("workload.conversation.turns=2")),
          Map.entry("workload.conversation.agents", List.of("workload.conversation.turns=2")),
          Map.entry(
              "workload.classes.objectives.session_time",
              List.of("workload.conversation.turns=2")),
          Map.entry(
              "workload.classes.objectives.session_time_without_tools",
              List.of("workload.conversation.turns=2")),
          Map.entry(
              "workload.conversation.by_response_id",
              List.of("endpoint=responses", "workload.conversation.turns=2")),
          Map.entry(
              "workload.think_time",
              List.of("workload.rate=null", "workload.arrival=closed", "workload.concurrency=4")),
          Map.entry("workload.speed", trace()),
          Map.entry("workload.max_starts_per_second", trace()),
          Map.entry("workload.token_pairs", lengths()),
          Map.entry("workload.dataset", lengths()),
          Map.entry("workload.dataset.prompt_tokens", columns()),
          Map.entry("workload.dataset.session", columns()),
          Map.entry("workload.dataset.pause", columns()),
          Map.entry(
              "workload.dataset.block_tokens",
              List.of(
                  "workload.dataset.format=mooncake",
                  "workload.dataset.file=traces/mooncake-sample.jsonl")));

  private static List<String> columns() {
    return List.of("workload.dataset.format=columns", "workload.dataset.file=rows.csv");
  }

  /** Every key of every section, each once. */
  static List<ScenarioPlace> all() {
    List<ScenarioPlace> places = new ArrayList<>();
    walk(ScenarioKeys.FIRST_LEVEL, "", value -> value, places, new HashSet<>());
    return places;
  }

  /** What {@code --set} must say besides. */
  List<String> overrides() {
    List<String> overrides = new ArrayList<>();
    CONTEXTS.forEach(
        (place, sets) -> {
          if (path.equals(place) || path.startsWith(place + ".")) {
            overrides.addAll(sets);
          }
        });
    return overrides;
  }

  /** The scenario with a value of this key, as YAML text. */
  String scenario(String value) {
    ObjectNode whole = (ObjectNode) yaml(BASE);
    JsonNode written = around.apply(yaml(value));
    written.properties().forEach(
        entry -> {
          if (entry.getKey().equals("workload") && entry.getValue().isObject()) {
            ((ObjectNode) whole.get("workload")).setAll((ObjectNode) entry.getValue());
          } else {
            whole.set(entry.getKey(), entry.getValue());
          }
        });
    if (key.name().equals("role")) {
      // A prefill engine takes no requests, so another target must.
      whole.putArray("targets").add(whole.remove("target")).add("http://127.0.0.1:8001");
    }
    // Only a time has a unit, only a counter a label that tells statuses apart.
    return key.name().equals("unit")
        ? whole.toString().replace("\"requests\":", "\"ttft\":")
        : whole.toString();
  }

  static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(text, e);
    }
  }

  private static void walk(
      ValueType.Keys section, String path, UnaryOperator<JsonNode> around,
      List<ScenarioPlace> places, Set<Object> seen) {
    List<ScenarioPlace> here =
        section.keys().stream()
            .filter(seen::add)
            .map(
                key ->
                    new ScenarioPlace(
                        path.isEmpty() ? key.name() : path + "." + key.name(), key,
                        value -> around.apply(with(section, key, value))))
            .toList();
    places.addAll(here);
    here.forEach(
        one -> below(one.key.type(), one.key, one.path, one.around, places, seen));
  }

  private static void below(
      ValueType type, ValueType.Key key, String path, UnaryOperator<JsonNode> around,
      List<ScenarioPlace> places, Set<Object> seen) {
    switch (type) {
      case ValueType.Keys keys -> walk(keys, path, around, places, seen);
      case ValueType.Shared shared -> below(shared.of(), key, path, around, places, seen);
      case ValueType.Either either ->
          either.options().forEach(one -> below(one, key, path, around, places, seen));
      case ValueType.ListOf list ->
          below(
              list.of(), key, path, value -> around.apply(list(value, key, list)), places, seen);
      case ValueType.Names names ->
          below(
              names.of(), key, path,
              value -> around.apply(NODES.objectNode().set("X-Name", value)), places, seen);
      default -> { }
    }
  }

  /** The section with a key, and with what it must have besides. */
  private static ObjectNode with(ValueType.Keys section, ValueType.Key key, JsonNode value) {
    ObjectNode written = NODES.objectNode();
    Set<String> needed = new HashSet<>();
    section.keys().stream().filter(ValueType.Key::isRequired).forEach(k -> needed.add(k.name()));
    section.rules().stream()
        .filter(rule -> rule.least() > 0 && !rule.names().contains(key.name()))
        .forEach(rule -> needed.add(rule.names().getFirst()));
    boolean isFirstLevel = section == ScenarioKeys.FIRST_LEVEL;
    needed.forEach(
        name -> {
          if (!isFirstLevel && !name.equals(key.name())) {
            written.set(name, yaml(section.get(name).example()));
          }
        });
    return written.set(key.name(), value);
  }

  private static ArrayNode list(JsonNode value, ValueType.Key key, ValueType.ListOf list) {
    ArrayNode items = NODES.arrayNode().add(value);
    for (JsonNode other : yaml(key.example())) {
      boolean isOther = !other.fieldNames().next().equals(value.fieldNames().next());
      if (items.size() < list.least() && isOther) {
        items.add(other);
      }
    }
    return items;
  }

  private static List<String> lengths() {
    return List.of("workload.prompt_tokens=null", "workload.output_tokens=null");
  }

  private static List<String> trace() {
    return List.of(
        "workload.arrival=trace", "workload.rate=null", "workload.prompt_tokens=null",
        "workload.output_tokens=null",
        "workload.dataset={format: mooncake, file: traces/mooncake-sample.jsonl}");
  }
}
