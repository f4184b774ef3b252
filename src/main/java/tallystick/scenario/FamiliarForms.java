package tallystick.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts forms that people write from memory into ours, and says each: {@code ttft_p95: 500ms},
 * objectives as a mapping, {@code duration: 300}, {@code dataset: prompts.json}, a conversation's
 * {@code system_prompt_tokens}.
 */
final class FamiliarForms {
  private static final Pattern PERCENTILE =
      Pattern.compile(
          "(ttft|answer_ttft|thinking_tokens|tpot|itl|e2e|largest_gap)"
              + "_p((?!1000?$)[1-9]\\d{1,3})");

  private final Consumer<String> notes;

  /**
   * Forms of a scenario.
   *
   * @param notes takes what was read as what, one line each
   */
  FamiliarForms(Consumer<String> notes) {
    this.notes = notes;
  }

  /** The first level of a scenario in our forms. */
  Node in(Node root) {
    Node tree = seconds(root);
    tree = changed(tree, "warmup", this::seconds);
    tree = changed(tree, "stop_when", this::seconds);
    tree = changed(tree, "objectives", this::objectives);
    return changed(tree, "workload", this::workload);
  }

  private Node workload(Node workload) {
    Node tree = dataset(systemPrompt(workload));
    return changed(tree, "classes", classes -> items(classes, this::ofClass));
  }

  private Node ofClass(Node one) {
    return dataset(systemPrompt(changed(one, "objectives", this::objectives)));
  }

  private Node seconds(Node node) {
    return changed(node, "duration", value -> {
      if (!(value instanceof Node.Scalar scalar) || scalar.kind() != Node.Kind.NUMBER) {
        return value;
      }
      note(scalar.origin(), "duration: " + scalar.text(), scalar.text() + "s");
      return text(scalar.origin(), scalar.text() + "s");
    });
  }

  /** A mapping of percentiles, or one objective without its list, as a list. */
  private Node objectives(Node node) {
    if (node instanceof Node.Mapping mapping) {
      List<Node> list = new ArrayList<>();
      if (mapping.entries().keySet().stream().allMatch(key -> PERCENTILE.matcher(key).matches())) {
        mapping.entries().forEach(
            (key, entry) -> list.add(objective(new Node.Mapping(
                entry.origin(), Map.of(key, entry)))));
      } else {
        note(mapping.origin(), "objectives without a list", "one objective");
        list.add(objective(mapping));
      }
      return new Node.Sequence(mapping.origin(), list);
    }
    return items(node, this::objective);
  }

  private Node objective(Node node) {
    if (!(node instanceof Node.Mapping mapping) || mapping.entries().containsKey("share")) {
      return node;
    }
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    mapping.entries().forEach((key, entry) -> {
      Matcher percentile = PERCENTILE.matcher(key);
      if (percentile.matches()) {
        String share = "0." + percentile.group(2);
        entries.put(percentile.group(1), entry);
        entries.put(
            "share",
            new Node.Entry(
                entry.origin(), new Node.Scalar(entry.origin(), share, Node.Kind.NUMBER)));
        String limit = entry.value() instanceof Node.Scalar scalar ? scalar.text() : "…";
        note(
            entry.origin(), key + ": " + limit,
            "{" + percentile.group(1) + ": " + limit + ", share: " + share + "}");
      } else {
        entries.put(key, entry);
      }
    });
    // Two percentiles in one objective stay two keys, which its reader refuses.
    return entries.size() <= mapping.entries().size() + 1
        ? new Node.Mapping(mapping.origin(), entries)
        : node;
  }

  /** A system prompt is what all prompts begin with. */
  private Node systemPrompt(Node node) {
    if (!(node instanceof Node.Mapping mapping)
        || mapping.entries().containsKey("shared_prefix")
        || !(value(mapping, "conversation") instanceof Node.Mapping conversation)
        || !(value(conversation, "system_prompt_tokens") instanceof Node.Scalar tokens)) {
      return node;
    }
    Map<String, Node.Entry> rest = new LinkedHashMap<>(conversation.entries());
    SourceLocation origin = rest.remove("system_prompt_tokens").origin();
    Map<String, Node.Entry> entries = new LinkedHashMap<>(mapping.entries());
    entries.put(
        "conversation", new Node.Entry(origin, new Node.Mapping(conversation.origin(), rest)));
    entries.put(
        "shared_prefix",
        new Node.Entry(
            origin, new Node.Mapping(origin, Map.of("tokens", new Node.Entry(origin, tokens)))));
    note(
        origin, "system_prompt_tokens: " + tokens.text(),
        "shared_prefix: {tokens: " + tokens.text() + "}");
    return new Node.Mapping(mapping.origin(), entries);
  }

  /** A trace is a data set whose times are played; a data set may be its file alone. */
  private Node dataset(Node node) {
    if (!(node instanceof Node.Mapping mapping)) {
      return node;
    }
    Map<String, Node.Entry> entries = new LinkedHashMap<>(mapping.entries());
    if (entries.containsKey("trace") && !entries.containsKey("dataset")) {
      Node.Entry trace = entries.remove("trace");
      entries.put("dataset", trace);
      entries.putIfAbsent(
          "arrival", new Node.Entry(trace.origin(), text(trace.origin(), "trace")));
      note(trace.origin(), "trace", "a dataset whose times are played (arrival: trace)");
    }
    Node tree = new Node.Mapping(mapping.origin(), entries);
    return changed(tree, "dataset", value ->
        value instanceof Node.Scalar file && file.kind() == Node.Kind.TEXT
            ? new Node.Mapping(
                value.origin(), Map.of("file", new Node.Entry(value.origin(), value)))
            : value);
  }

  private void note(SourceLocation origin, String written, String readAs) {
    notes.accept(origin + ": " + written + " is read as " + readAs);
  }

  private static Node.Scalar text(SourceLocation origin, String text) {
    return new Node.Scalar(origin, text, Node.Kind.TEXT);
  }

  private static Node value(Node.Mapping mapping, String key) {
    Node.Entry entry = mapping.entries().get(key);
    return entry == null ? mapping : entry.value();
  }

  private static Node items(Node node, UnaryOperator<Node> change) {
    return node instanceof Node.Sequence list
        ? new Node.Sequence(list.origin(), list.items().stream().map(change).toList())
        : node;
  }

  /** A mapping with one of its values changed, where it has it. */
  private static Node changed(Node node, String key, UnaryOperator<Node> change) {
    if (!(node instanceof Node.Mapping mapping) || !mapping.entries().containsKey(key)) {
      return node;
    }
    Map<String, Node.Entry> entries = new LinkedHashMap<>(mapping.entries());
    entries.computeIfPresent(
        key, (name, entry) -> new Node.Entry(entry.origin(), change.apply(entry.value())));
    return new Node.Mapping(mapping.origin(), entries);
  }
}
