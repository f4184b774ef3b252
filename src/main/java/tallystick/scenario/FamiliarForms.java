package tallystick.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Puts forms that people write from memory into ours, and says each: {@code ttft_p95: 500ms},
 * {@code ttft: {p95: 500ms}}, {@code {metric: ttft, percentile: 95, max: 500ms}}, objectives as a
 * mapping, {@code duration: 300}, {@code warmup: 10s}, {@code endpoint: chat}, {@code dataset:
 * prompts.json}, a conversation's {@code system_prompt_tokens}, {@code p95 ttft < 500ms}, {@code
 * rate: [1, 2, 4]}, {@code prompt_tokens: {mean: 512, stddev: 100}}.
 *
 * @param notes takes what was read as what, one line each
 */
record FamiliarForms(Consumer<String> notes) {
  private static final Pattern PERCENTILE =
      Pattern.compile(
          "(" + String.join("|", ScenarioKeys.METRICS.names())
              + ")_p((?!1000?$)[1-9]\\d{1,3})");

  /** The endpoint as a path of a URL, or by its first word. */
  private static final Pattern ENDPOINT =
      Pattern.compile("(?:/?v1)?/?(chat(?:/completions)?|completions|responses)/?");

  /** An objective as a sentence: {@code p95 ttft < 500ms}, {@code TTFT P95 <= 500ms}. */
  private static final Pattern SENTENCE =
      Pattern.compile(
          "(?:p(LEVEL) ([a-z_0-9]+)|([a-z_0-9]+) p(LEVEL)) ?<=? ?(\\S+(?: ?[a-z]+)?)"
              .replace("LEVEL", "\\d{2,4}|\\d{2}\\.\\d+"));

  private static final List<String> FROM_TO = List.of("from", "to");

  private static final List<String> RATES = List.of("arrivalRate", "arrival_rate", "rps", "qps");

  /** A threshold of k6: {@code p(95)<500}. */
  private static final Pattern THRESHOLD =
      Pattern.compile("p\\((\\d{2}(?:\\.\\d+)?)\\) ?<=? ?(\\S+)");

  /** Where one of these stands in a mapping, it is one objective, else one for each key. */
  private static final List<String> OF_ONE_OBJECTIVE = List.of("share", "class", "all", "metric");

  private static final List<String> DEVIATIONS = List.of("stddev", "std", "sd", "deviation");

  private static final List<String> LIMIT_KEYS = List.of("max", "limit", "threshold", "below");

  /** The first level of a scenario in our forms. */
  Node in(Node root) {
    Node tree = ForeignWords.in(root, notes);
    tree = changed(seconds(ramp(tree)), "endpoint", this::endpoint);
    tree = changed(tree, "warmup", value -> seconds(warmup(value)));
    tree = changed(tree, "stop_when", this::seconds);
    tree = changed(tree, "objectives", this::objectives);
    return changed(tree, "workload", this::workload);
  }

  private Node workload(Node workload) {
    Node tree = lengths(dataset(systemPrompt(changed(workload, "rate", this::steps))));
    return changed(tree, "classes", classes -> items(classes, this::ofClass));
  }

  private Node steps(Node rate) {
    if (rate instanceof Node.Mapping ends && ends.entries().keySet().containsAll(FROM_TO)) {
      note(ends.origin(), "rate: " + ends.line(), "rate: {ramp: " + ends.line() + "}");
      return Node.Mapping.of(ends.origin(), "ramp", ends);
    }
    if (!(rate instanceof Node.Sequence list)) {
      return changed(rate, "steps", steps -> items(steps, this::step));
    }
    note(list.origin(), "rate: […]", "rate: {steps: […]}");
    return changed(
        Node.Mapping.of(list.origin(), "steps", list), "steps", steps -> items(steps, this::step));
  }

  /** A step lasts for a time; who calls that its duration may leave out the unit as there. */
  private Node step(Node step) {
    Node tree = renamed(seconds(step), "duration", "for");
    return RATES.stream().reduce(tree, (node, word) -> renamed(node, word, "rate"), (a, b) -> b);
  }

  /** One phase of a rate that rises is a ramp, which lasts the whole duration. */
  private Node ramp(Node root) {
    if (!(root instanceof Node.Mapping whole) || whole.entries().containsKey("duration")
        || !(value(whole, "workload") instanceof Node.Mapping workload)
        || !(value(workload, "rate") instanceof Node.Sequence list) || list.items().size() != 1
        || !(step(list.items().getFirst()) instanceof Node.Mapping phase)
        || !phase.entries().keySet().containsAll(List.of("rate", "for"))) {
      return root;
    }
    Map<String, Node.Entry> ends = new LinkedHashMap<>(phase.entries());
    Node.Entry to = Stream.of("rampTo", "ramp_to").map(ends::remove)
        .filter(Objects::nonNull).findFirst().orElse(null);
    Node.Entry length = ends.remove("for");
    ends.remove("name");
    if (to == null || ends.size() > 1) {
      return root;
    }
    Map<String, Node.Entry> entries = new LinkedHashMap<>(whole.entries());
    entries.put("duration", length);
    Map<String, Node.Entry> both = new LinkedHashMap<>();
    both.put("from", ends.get("rate"));
    both.put("to", to);
    Node ramp = Node.Mapping.of(list.origin(), "ramp", new Node.Mapping(list.origin(), both));
    note(
        list.origin(), list.items().getFirst().line(),
        "rate: " + ramp.line() + " and duration: " + length.value().line());
    return changed(
        new Node.Mapping(whole.origin(), entries), "workload",
        node -> changed(node, "rate", rate -> ramp));
  }

  private static Node renamed(Node node, String word, String key) {
    if (!(node instanceof Node.Mapping mapping) || !mapping.entries().containsKey(word)
        || mapping.entries().containsKey(key)) {
      return node;
    }
    Map<String, Node.Entry> entries = new LinkedHashMap<>(mapping.entries());
    entries.put(key, entries.remove(word));
    return new Node.Mapping(mapping.origin(), entries);
  }

  private Node lengths(Node node) {
    return changed(changed(node, "prompt_tokens", this::length), "output_tokens", this::length);
  }

  /** {@code {min: 50, max: 200}} is uniform, {@code {mean: 512, stddev: 100}} normal. */
  private Node length(Node node) {
    if (!(node instanceof Node.Mapping written)) {
      return node;
    }
    Map<String, Node.Entry> entries = new LinkedHashMap<>(written.entries());
    if (entries.keySet().equals(Set.of("min", "max"))) {
      note(written.origin(), "{min: …, max: …}", "{uniform: […, …]}");
      return Node.Mapping.of(
          written.origin(), "uniform",
          new Node.Sequence(
              written.origin(), List.of(value(written, "min"), value(written, "max"))));
    }
    Optional<String> deviation = DEVIATIONS.stream().filter(entries::containsKey).findFirst();
    if (deviation.isEmpty() || !entries.containsKey("mean")) {
      return node;
    }
    entries.put("deviation", entries.remove(deviation.get()));
    note(
        written.origin(), "{mean: …, " + deviation.get() + ": …}",
        "{normal: {mean: …, deviation: …}}");
    return Node.Mapping.of(
        written.origin(), "normal", new Node.Mapping(written.origin(), entries));
  }

  private Node ofClass(Node one) {
    return lengths(dataset(systemPrompt(changed(one, "objectives", this::objectives))));
  }

  private Node endpoint(Node node) {
    if (!(node instanceof Node.Scalar scalar)
        || !(ENDPOINT.matcher(scalar.text()) instanceof Matcher way && way.matches())) {
      return node;
    }
    String name = way.group(1).equals("chat") ? "chat/completions" : way.group(1);
    if (!name.equals(scalar.text())) {
      note(scalar.origin(), "endpoint: " + scalar.text(), name);
    }
    return text(scalar.origin(), name);
  }

  /** A warm-up is as many requests, or as long as a time. */
  private Node warmup(Node node) {
    if (!(node instanceof Node.Scalar scalar)
        || scalar.text().isEmpty() || !Character.isDigit(scalar.text().charAt(0))) {
      return node;
    }
    String key = scalar.kind() == Node.Kind.NUMBER ? "requests" : "duration";
    note(scalar.origin(), "warmup: " + scalar.text(), "{" + key + ": " + scalar.text() + "}");
    return Node.Mapping.of(node.origin(), key, node);
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
    if (node instanceof Node.Sequence list) {
      return new Node.Sequence(
          list.origin(), list.items().stream().flatMap(one -> item(one).stream()).toList());
    }
    if (!(node instanceof Node.Mapping mapping)) {
      return node;
    }
    Node.Mapping flat = flat(mapping);
    if (percentiles(flat).size() == flat.entries().size()) {
      return new Node.Sequence(mapping.origin(), each(flat, mapping, ""));
    }
    Set<String> keys = mapping.entries().keySet();
    if (keys.size() > 1 && OF_ONE_OBJECTIVE.stream().noneMatch(keys::contains)) {
      note(mapping.origin(), "objectives without a list", "an objective for each of its keys");
      return new Node.Sequence(
          mapping.origin(),
          mapping.entries().entrySet().stream()
              .flatMap(one -> item(alone(one.getKey(), one.getValue())).stream())
              .toList());
    }
    note(mapping.origin(), "objectives without a list", "one objective");
    return new Node.Sequence(mapping.origin(), List.of(objective(mapping, "")));
  }

  /** Percentiles of one metric are an objective each. */
  private List<Node> item(Node item) {
    Node node = item instanceof Node.Scalar said ? sentence(said) : item;
    String quoted =
        node instanceof Node.Mapping whole && (node != item || metric(whole) != whole)
            ? item.line()
            : "";
    if (node instanceof Node.Mapping written) {
      Node.Mapping mapping = flat(metric(written));
      List<String> percentiles = percentiles(mapping);
      boolean isOfOne =
          percentiles.stream().map(FamiliarForms::metricOf).distinct().count() == 1;
      if (isOfOne && percentiles.size() == mapping.entries().size()) {
        return each(mapping, written, quoted);
      }
    }
    return List.of(objective(node, quoted));
  }

  private static Node.Mapping alone(String key, Node.Entry entry) {
    return new Node.Mapping(entry.origin(), Map.of(key, entry));
  }

  private static Node sentence(Node.Scalar said) {
    Matcher told =
        SENTENCE.matcher(said.text().toLowerCase(Locale.ROOT).replaceAll("\\s+", " "));
    if (!told.matches()) {
      return said;
    }
    boolean isFirst = told.group(1) != null;
    String level = (isFirst ? told.group(1) : told.group(4)).replace(".", "");
    return Node.Mapping.of(
        said.origin(), (isFirst ? told.group(2) : told.group(3)) + "_p" + level,
        text(said.origin(), told.group(5)));
  }

  private List<Node> each(Node.Mapping percentiles, Node.Mapping written, String quoted) {
    List<Node> list = new ArrayList<>();
    percentiles.entries().forEach((key, entry) -> {
      Node.Entry whole = written.entries().get(metricOf(key));
      String said =
          quoted.isEmpty() && whole != null
              ? metricOf(key) + ": " + whole.value().line()
              : quoted;
      list.add(objective(alone(key, entry), said));
    });
    return list;
  }

  private static List<String> percentiles(Node.Mapping mapping) {
    return mapping.entries().keySet().stream()
        .filter(key -> PERCENTILE.matcher(key).matches())
        .toList();
  }

  private static String metricOf(String percentile) {
    return percentile.substring(0, percentile.lastIndexOf("_p"));
  }

  /**
   * An objective with one percentile. Of several, or of one beside a plain limit on the same
   * metric, nobody can tell which is meant: their keys stay, and the reader refuses them.
   */
  private Node objective(Node node, String quoted) {
    if (!(node instanceof Node.Mapping written) || written.entries().containsKey("share")) {
      return node;
    }
    Node.Mapping mapping = flat(metric(written));
    List<String> percentiles = percentiles(mapping);
    if (percentiles.size() != 1
        || mapping.entries().containsKey(metricOf(percentiles.getFirst()))) {
      return node;
    }
    String percentile = percentiles.getFirst();
    String metric = metricOf(percentile);
    Map<String, Node.Entry> entries = new LinkedHashMap<>(mapping.entries());
    Node.Entry limit = entries.remove(percentile);
    String share = "0." + percentile.substring(metric.length() + 2);
    entries.put(metric, limit);
    entries.put(
        "share",
        new Node.Entry(
            limit.origin(), new Node.Scalar(limit.origin(), share, Node.Kind.NUMBER)));
    String shown = limit.value() instanceof Node.Scalar scalar ? scalar.text() : "…";
    note(
        limit.origin(), quoted.isEmpty() ? percentile + ": " + shown : quoted,
        "{" + metric + ": " + shown + ", share: " + share + "}");
    return new Node.Mapping(mapping.origin(), entries);
  }

  /** {@code {p95: 1s}}, or {@code [p(95)<1s]} of k6. */
  private static Map<String, Node.Entry> percentilesOf(Node limits) {
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    if (limits instanceof Node.Sequence list) {
      for (Node one : list.items()) {
        Matcher told = THRESHOLD.matcher(one instanceof Node.Scalar scalar ? scalar.text() : "");
        if (!told.matches()) {
          return Map.of();
        }
        boolean isBare = told.group(2).matches("\\d+(\\.\\d+)?");
        Node limit =
            new Node.Scalar(
                one.origin(), told.group(2), isBare ? Node.Kind.NUMBER : Node.Kind.TEXT);
        Node.Entry entry = new Node.Entry(one.origin(), limit);
        if (entries.put("p" + told.group(1).replace(".", ""), entry) != null) {
          return Map.of(); // of two limits nobody can tell which is meant
        }
      }
    }
    return limits instanceof Node.Mapping told ? told.entries() : entries;
  }

  /** {@code TTFT_P95} and {@code p95_ttft} as {@code ttft_p95}; any other key as it is. */
  private static String percentile(String key) {
    String told = key.toLowerCase(Locale.ROOT).replaceFirst("^(p\\d+)_(.+)$", "$2_$1");
    return PERCENTILE.matcher(told).matches() ? told : key;
  }

  /** {@code ttft: {p95: 1s}} as {@code ttft_p95: 1s}; as it is where a key would be there twice. */
  private static Node.Mapping flat(Node.Mapping mapping) {
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    int keys = 0;
    for (Map.Entry<String, Node.Entry> each : mapping.entries().entrySet()) {
      Map<String, Node.Entry> inner = percentilesOf(each.getValue().value());
      boolean isOfPercentiles =
          !inner.isEmpty() && inner.keySet().stream().allMatch(key -> key.matches("p\\d+"));
      if (isOfPercentiles) {
        inner.forEach((key, limit) -> entries.put(each.getKey() + "_" + key, limit));
        keys += inner.size();
      } else {
        entries.put(percentile(each.getKey()), each.getValue());
        keys++;
      }
    }
    return entries.size() == keys ? new Node.Mapping(mapping.origin(), entries) : mapping;
  }

  /** {@code {metric: ttft, percentile: 95, max: 1s}} as {@code {ttft_p95: 1s}}. */
  private static Node.Mapping metric(Node.Mapping mapping) {
    Map<String, Node.Entry> entries = new LinkedHashMap<>(mapping.entries());
    if (entries.size() == 2 && value(mapping, "metric") instanceof Node.Scalar told) {
      Node.Entry named = entries.remove("metric");
      String level = entries.keySet().iterator().next();
      String key = told.text() + "_" + level;
      return named != null && PERCENTILE.matcher(key).matches()
          ? alone(key, entries.get(level))
          : mapping;
    }
    List<String> limits = LIMIT_KEYS.stream().filter(entries::containsKey).toList();
    if (limits.size() != 1
        || !(value(mapping, "metric") instanceof Node.Scalar name)
        || !(value(mapping, "percentile") instanceof Node.Scalar percentile)
        || !percentile.text().matches("p?\\d{2}(\\.\\d+)?")) {
      return mapping;
    }
    String key = name.text() + "_p" + percentile.text().replaceAll("[p.]", "");
    if (!PERCENTILE.matcher(key).matches() || entries.containsKey(key)) {
      return mapping;
    }
    entries.keySet().removeAll(List.of("metric", "percentile"));
    entries.put(key, entries.remove(limits.get(0)));
    return new Node.Mapping(mapping.origin(), entries);
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
        "shared_prefix", new Node.Entry(origin, Node.Mapping.of(origin, "tokens", tokens)));
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
            ? Node.Mapping.of(value.origin(), "file", value)
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
