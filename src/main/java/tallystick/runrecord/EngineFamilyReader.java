package tallystick.runrecord;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Reads what is true of a whole engine family from the head of its file. */
final class EngineFamilyReader {
  private static final String EDGES = "edges of ";

  private final String file;
  private final Map<String, String> facts = new HashMap<>();

  private EngineFamilyReader(String file, List<String> lines) {
    this.file = file;
    for (String line : lines) {
      String[] both = line.split(": ", 2);
      if (both.length != 2 || facts.put(both[0], both[1].strip()) != null) {
        throw new IllegalStateException(file + " must say it once, as WORD: VALUE: " + line);
      }
    }
  }

  /**
   * The family that these lines describe.
   *
   * @param sampleNames what its metrics are called
   * @throws IllegalStateException if a line is unknown, or a needed one is missing
   */
  static EngineFamily read(String name, String file, List<String> lines, Set<String> sampleNames) {
    return new EngineFamilyReader(file, lines).family(name, sampleNames);
  }

  private EngineFamily family(String name, Set<String> sampleNames) {
    Map<MetricConcept, List<Double>> edges = new EnumMap<>(MetricConcept.class);
    facts.entrySet().stream()
        .filter(fact -> fact.getKey().startsWith(EDGES))
        .forEach(fact -> edges.putAll(edges(fact.getKey(), fact.getValue())));
    facts.keySet().removeIf(fact -> fact.startsWith(EDGES));
    facts.putIfAbsent("gaps are counted", "one for each step"); // where it has none, nobody asks
    EngineFamily family =
        new EngineFamily(
            name,
            needed("title"),
            facts.containsKey("page") ? needed("page") : "/metrics",
            optional("prefix"),
            sampleNames,
            list("before the prefix"),
            new EngineFamily.Labels(
                optional("model label"),
                optional("engine label"),
                optional("finish reason label"),
                list("copies are told apart by"),
                list("other labels")),
            new EngineFamily.Counting(
                choice("tokens are counted", "when a request finishes", "as they are made"),
                choice("gaps are counted", "one for each token", "one for each step"),
                list("observed at finish").stream().map(MetricConcept::valueOf).toList()),
            optional("settings"),
            edges);
    if (!facts.isEmpty()) {
      throw new IllegalStateException(file + " says what nobody reads: " + facts.keySet());
    }
    return family;
  }

  private static Map<MetricConcept, List<Double>> edges(String fact, String value) {
    List<Double> numbers = Stream.of(value.split(" ")).map(Double::parseDouble).toList();
    Map<MetricConcept, List<Double>> edges = new EnumMap<>(MetricConcept.class);
    for (String concept : fact.substring(EDGES.length()).split(", ")) {
      edges.put(MetricConcept.valueOf(concept), numbers);
    }
    return edges;
  }

  private String needed(String fact) {
    String value = optional(fact);
    if (value.isEmpty()) {
      throw new IllegalStateException(file + " does not say: " + fact);
    }
    return value;
  }

  private String optional(String fact) {
    String value = facts.remove(fact);
    return value == null ? "" : value;
  }

  private List<String> list(String fact) {
    return Arrays.stream(optional(fact).split(", ")).filter(one -> !one.isEmpty()).toList();
  }

  private boolean choice(String fact, String yes, String no) {
    String value = needed(fact);
    if (!value.equals(yes) && !value.equals(no)) {
      throw new IllegalStateException(
          file + ": " + fact + " must be \"" + yes + "\" or \"" + no + "\", was " + value);
    }
    return value.equals(yes);
  }
}
