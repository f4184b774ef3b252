package tallystick.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lays {@code --set path=value} over a scenario before it is checked. */
final class Overrides {
  private Overrides() {}

  /** The tree with every override laid over it, in order; the value {@code null} removes a key. */
  static Node apply(Node root, List<String> overrides) {
    Node tree = root;
    for (String override : overrides) {
      SourceLocation origin = SourceLocation.ofOption("--set " + override);
      int equals = override.indexOf('=');
      if (equals < 1) {
        throw origin.error("not KEY=VALUE", "write for example --set workload.rate=8");
      }
      String path = override.substring(0, equals).strip();
      Node value = value(override.substring(equals + 1), origin);
      tree = put(tree, List.of(path.split("\\.", -1)), value, origin);
      tree = withoutRival(tree, path, value, origin);
    }
    return tree;
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
    if (!index.matches("\\d{1,6}") || Integer.parseInt(index) >= sequence.items().size()) {
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
