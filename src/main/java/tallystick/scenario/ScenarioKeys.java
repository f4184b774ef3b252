package tallystick.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The keys of the sections that a key may be looked for in. */
final class ScenarioKeys {
  /** The keys of the file's first level. */
  static final List<String> FIRST_LEVEL = List.of(
      "name", "target", "targets", "targets_file", "targets_srv", "targets_dns",
      "model", "endpoint", "workload", "duration", "requests", "warmup", "seed", "objectives",
      "scrape_interval", "timeout", "request", "engine", "stop_when", "labels", "exporters");

  /** What can be said of a class, in the workload for all or in the class itself. */
  static final List<String> OF_CLASS = List.of(
      "prompt_tokens", "output_tokens", "token_pairs", "dataset", "shared_prefix", "conversation",
      "cancel", "n", "model", "extra_body");

  /** The keys of {@code workload}. */
  static final List<String> WORKLOAD =
      Stream.concat(
              Stream.of("arrival", "rate", "speed", "concurrency", "classes"), OF_CLASS.stream())
          .toList();

  /** The keys of {@code request}. */
  static final List<String> REQUEST = List.of(
      "ignore_eos", "same_prompts", "continuous_usage", "extra_body", "headers", "api_key_env",
      "api_key_file", "ca_file");

  /** In the order they are searched. */
  private static final List<Map.Entry<String, List<String>>> SECTIONS =
      List.of(
          Map.entry("", FIRST_LEVEL),
          Map.entry("request", REQUEST),
          Map.entry("workload", WORKLOAD));

  private ScenarioKeys() {}

  /** Where a key belongs that does not stand in its section; empty if it belongs nowhere. */
  static Optional<String> placeOf(String key, String wrongSection) {
    return SECTIONS.stream()
        .filter(section -> !section.getKey().equals(wrongSection))
        .filter(section -> section.getValue().contains(key))
        .map(Map.Entry::getKey)
        .map(name -> name.isEmpty()
            ? "it belongs at the file's first level"
            : "it belongs under " + name + ":")
        .findFirst();
  }
}
