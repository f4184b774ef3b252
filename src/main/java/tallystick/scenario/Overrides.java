package tallystick.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lays {@code --set path=value} over a scenario before it is checked. */
final class Overrides {
  /** What a single value under a key, or in the list or mapping under it, is short for. */
  private static final Map<String, String> SHORT_FOR =
      Map.of("target", "url", "targets", "url", "steps", "rate", "metrics", "name");

  private Overrides() {}

  /**
   * The tree with every override laid over it, in order; the value {@code null} removes a key. A
   * key is looked for as the file writes it, then in what its short forms stand for.
   */
  static Node apply(Node root, List<String> overrides, FamiliarForms forms) {
    Node tree = root;
    for (String override : overrides) {
      SourceLocation origin = SourceLocation.ofOption("--set " + override);
      int equals = override.indexOf('=');
      if (equals < 1) {
        throw origin.error("not KEY=VALUE", "write for example --set workload.rate=8");
      }
      String path = override.substring(0, equals).strip();
      Node value = value(override.substring(equals + 1), origin);
      List<String> keys = List.of(path.split("\\.", -1));
      tree = isInLongForm(tree, keys) ? forms.in(tree) : tree;
      tree = put(spelledOut(tree, keys, origin), keys, value, origin);
      tree = withoutRival(tree, path, value, origin);
    }
    return tree;
  }

  /** Whether the long form of what is written knows more of a path than what is written does. */
  private static boolean isInLongForm(Node written, List<String> keys) {
    Node whole = new FamiliarForms(note -> { }).in(written);
    int known = known(whole, keys);
    int before = known(written, keys);
    List<String> place = keys.subList(0, known);
    return known > before
        || known == before && !isSingle(whole, place) && isSingle(written, place);
  }

  /** How many keys of a path are there. */
  private static int known(Node tree, List<String> path) {
    int known = 0;
    while (known < path.size() && at(tree, path.subList(0, known + 1)).isPresent()) {
      known++;
    }
    return known;
  }

  private static boolean isSingle(Node tree, List<String> path) {
    return at(tree, path).filter(node -> node instanceof Node.Scalar).isPresent();
  }

  /** With a single value that the path goes into as the key that it is short for. */
  private static Node spelledOut(Node tree, List<String> keys, SourceLocation origin) {
    for (int length = 1; length < keys.size(); length++) {
      List<String> path = keys.subList(0, length);
      String list = keys.get(Math.max(0, length - 2));
      String key = SHORT_FOR.getOrDefault(keys.get(length - 1), SHORT_FOR.get(list));
      if (key != null && at(tree, path).orElse(tree) instanceof Node.Scalar scalar) {
        Node.Entry entry = new Node.Entry(scalar.origin(), scalar);
        return put(tree, path, new Node.Mapping(scalar.origin(), Map.of(key, entry)), origin);
      }
    }
    return tree;
  }

  private static Optional<Node> at(Node tree, List<String> path) {
    if (path.isEmpty()) {
      return Optional.of(tree);
    }
    String key = path.getFirst();
    Optional<Node> inner =
        switch (tree) {
          case Node.Mapping mapping ->
              Optional.ofNullable(mapping.entries().get(key)).map(Node.Entry::value);
          case Node.Sequence list -> isPosition(key, list)
              ? Optional.of(list.items().get(Integer.parseInt(key)))
              : Optional.empty();
          case Node.Scalar none -> Optional.empty();
        };
    return inner.flatMap(node -> at(node, path.subList(1, path.size())));
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

  private static Node put(Node node, List<String> path, Node value, SourceLocation origin) {
    String key = path.get(0);
    if (key.isBlank()) {
      throw origin.error("an empty key", "write for example --set workload.rate=8");
    }
    return switch (node) {
      case Node.Mapping mapping -> putKey(mapping, path, value, origin);
      case Node.Sequence sequence -> putItem(sequence, path, value, origin);
      case Node.Scalar scalar -> throw origin.withoutSecrets().error(
          "\"" + key + "\" cannot be set inside " + scalar.shown(), "set the whole value");
    };
  }

  private static Node putKey(
      Node.Mapping mapping, List<String> path, Node value, SourceLocation origin) {
    Map<String, Node.Entry> entries = new LinkedHashMap<>(mapping.entries());
    String key = path.get(0);
    if (path.size() > 1) {
      Node.Entry old =
          entries.getOrDefault(
              key, new Node.Entry(origin, new Node.Mapping(origin, Map.of())));
      Node changed = put(old.value(), path.subList(1, path.size()), value, origin);
      entries.put(key, new Node.Entry(old.origin(), changed));
    } else if (value instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NULL) {
      entries.remove(key);
    } else {
      entries.put(key, new Node.Entry(origin, value));
    }
    return new Node.Mapping(mapping.origin(), entries);
  }

  private static Node putItem(
      Node.Sequence sequence, List<String> path, Node value, SourceLocation origin) {
    String index = path.get(0);
    if (!isPosition(index, sequence)) {
      throw origin.error(
          "\"" + index + "\" is not a position in a list of " + sequence.items().size(),
          "count from 0");
    }
    List<Node> items = new ArrayList<>(sequence.items());
    int position = Integer.parseInt(index);
    items.set(position, path.size() == 1
        ? value
        : put(items.get(position), path.subList(1, path.size()), value, origin));
    return new Node.Sequence(sequence.origin(), items);
  }

  /** One of {@code target} and {@code targets} replaces the other: both name the servers. */
  private static Node withoutRival(Node tree, String path, Node value, SourceLocation origin) {
    boolean isRemoval = value instanceof Node.Scalar s && s.kind() == Node.Kind.NULL;
    String rival = path.equals("target") ? "targets" : path.equals("targets") ? "target" : "";
    if (rival.isEmpty() || isRemoval) {
      return tree;
    }
    return put(tree, List.of(rival), new Node.Scalar(origin, "", Node.Kind.NULL), origin);
  }
}
