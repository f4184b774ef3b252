package tallystick.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lays {@code --set path=value} over a scenario before it is checked.
 *
 * @param origin the option, for messages
 * @param value what is set
 */
record Overrides(SourceLocation origin, Node value) {
  /**
   * The tree with every override laid over it, in order; the value {@code null} removes a key. A
   * key is looked for as the file writes it, then in what its short forms stand for. What may not
   * stand beside the key is replaced by it.
   */
  static Node apply(Node root, List<String> overrides, FamiliarForms forms) {
    Node tree = root;
    for (String override : overrides) {
      SourceLocation origin = SourceLocation.ofOption("--set " + override);
      int equals = override.indexOf('=');
      if (equals < 1) {
        throw origin.error("not KEY=VALUE", "write for example --set workload.rate=8");
      }
      List<String> path = List.of(override.substring(0, equals).strip().split("\\.", -1));
      Overrides one = new Overrides(origin, value(override.substring(equals + 1), origin));
      Node whole = new FamiliarForms(note -> { }).in(tree);
      tree = known(whole, path) > known(tree, path) ? forms.in(tree) : tree;
      tree = one.put(tree, Optional.of(ScenarioKeys.FIRST_LEVEL), path);
    }
    return tree;
  }

  /** How many keys of a path are there; one less where a single value cannot take the rest. */
  private static int known(Node tree, List<String> path) {
    if (path.isEmpty()) {
      return 0;
    }
    String key = path.getFirst();
    List<String> rest = path.subList(1, path.size());
    return switch (tree) {
      case Node.Mapping mapping when mapping.entries().containsKey(key) ->
          1 + known(mapping.entries().get(key).value(), rest);
      case Node.Sequence list when isPosition(key, list) ->
          1 + known(list.items().get(Integer.parseInt(key)), rest);
      case Node.Scalar single -> -1;
      default -> 0;
    };
  }

  private static boolean isPosition(String key, Node.Sequence list) {
    return key.matches("\\d{1,6}") && Integer.parseInt(key) < list.items().size();
  }

  private static Node value(String text, SourceLocation origin) {
    if (text.isBlank()) {
      return new Node.Scalar(origin, "", Node.Kind.NULL);
    }
    return YamlTree.parse(text, line -> origin);
  }

  /**
   * A node with the value put into it.
   *
   * @param type what the node should be; empty inside of what no table knows
   * @param path where in it, at least one key
   */
  private Node put(Node node, Optional<ValueType> type, List<String> path) {
    String key = path.getFirst();
    if (key.isBlank()) {
      throw origin.error("an empty key", "write for example --set workload.rate=8");
    }
    return switch (node) {
      case Node.Mapping mapping -> putKey(mapping, type, path);
      case Node.Sequence list -> putItem(list, type, path);
      case Node.Scalar single -> {
        String alone = keys(type).map(ValueType.Keys::alone).orElse("");
        if (alone.isEmpty()) {
          throw origin.withoutSecrets().error(
              "\"" + key + "\" cannot be set inside " + single.shown(), "set the whole value");
        }
        yield putKey(Node.Mapping.of(single.origin(), alone, single), type, path);
      }
    };
  }

  private static Optional<ValueType.Keys> keys(Optional<ValueType> type) {
    return type.flatMap(known -> known.find(ValueType.Keys.class));
  }

  private Node putKey(Node.Mapping mapping, Optional<ValueType> type, List<String> path) {
    Map<String, Node.Entry> entries = new LinkedHashMap<>(mapping.entries());
    String key = path.getFirst();
    if (path.size() > 1) {
      Node.Entry old =
          entries.getOrDefault(key, new Node.Entry(origin, new Node.Mapping(origin, Map.of())));
      entries.put(key, new Node.Entry(old.origin(), changed(old.value(), type, path)));
    } else if (value instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NULL) {
      boolean isKnown = keys(type).filter(table -> !table.names().contains(key)).isEmpty();
      if (entries.remove(key) == null && !isKnown) {
        throw origin.error(
            "unknown key \"" + key + "\": nothing can be removed",
            "name it as it is read: plan says each key that stands for another");
      }
    } else {
      keys(type).stream()
          .flatMap(table -> table.rules().stream())
          .filter(rule -> rule.least() == 0 && rule.names().contains(key))
          .forEach(rule -> entries.keySet().removeAll(rule.names()));
      entries.put(key, new Node.Entry(origin, value));
    }
    return new Node.Mapping(mapping.origin(), entries);
  }

  private Node putItem(Node.Sequence list, Optional<ValueType> type, List<String> path) {
    String index = path.getFirst();
    if (!isPosition(index, list)) {
      throw origin.error(
          "\"" + index + "\" is not a position in a list of " + list.items().size(),
          "count from 0");
    }
    List<Node> items = new ArrayList<>(list.items());
    int position = Integer.parseInt(index);
    items.set(position, changed(items.get(position), type, path));
    return new Node.Sequence(list.origin(), items);
  }

  /** What is at a path's first key, once the rest of the path has been followed. */
  private Node changed(Node old, Optional<ValueType> type, List<String> path) {
    return path.size() == 1
        ? value
        : put(
            old, type.flatMap(known -> known.inside(path.getFirst())),
            path.subList(1, path.size()));
  }
}
