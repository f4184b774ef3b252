package tallystick.scenario;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tallystick.scenario.ValueType.Keys;

/** What to write instead of a key that its section does not know. */
final class UnknownKey {
  /** In the order they are searched. */
  private static final List<Map.Entry<String, Keys>> SECTIONS =
      List.of(
          Map.entry("", ScenarioKeys.FIRST_LEVEL),
          Map.entry("request", ScenarioKeys.REQUEST),
          Map.entry("workload", WorkloadKeys.WORKLOAD));

  /** What other tools and APIs call it → what to write here. */
  private static final Map<String, String> FOREIGN = Map.ofEntries(
      Map.entry("max_tokens", "write output_tokens under workload:"),
      Map.entry("max_completion_tokens", "write output_tokens under workload:"),
      Map.entry("users", "write concurrency under workload:"),
      Map.entry("vus", "write concurrency under workload:"),
      Map.entry("max_concurrency", "write concurrency under workload:"),
      Map.entry("rps", "write rate under workload:"),
      Map.entry("qps", "write rate under workload:"),
      Map.entry("request_rate", "write rate under workload:"),
      Map.entry("num_prompts", "write requests at the file's first level"),
      Map.entry("num_requests", "write requests at the file's first level"),
      Map.entry("slo", "write objectives: [{ttft: 1s, share: 0.99}]"),
      Map.entry("url", "write target: http://127.0.0.1:8000"),
      Map.entry("base_url", "write target: http://127.0.0.1:8000"),
      Map.entry("api_key",
          "did you mean \"api_key_env\"? Under request: it names the variable that holds the key"),
      Map.entry("percentile", "write share: 0.99"),
      Map.entry("p", "write share: 0.99"),
      Map.entry("temperature", "write request: {extra_body: {temperature: 0.7}}"),
      Map.entry("top_p", "write request: {extra_body: {top_p: 0.9}}"),
      Map.entry("stream", "leave it out: every answer is streamed"));

  private UnknownKey() {}

  /** What to write instead of a key that its section does not know. */
  static String remedy(String key, String section, List<String> valid) {
    boolean isSlip = valid.stream().anyMatch(one -> stem(one).equals(stem(key)));
    return Optional.of(NearestKey.remedy(key, valid))
        .filter(remedy -> isSlip)
        .or(() -> placeOf(key, section))
        .or(() -> Optional.ofNullable(FOREIGN.get(key)))
        .orElseGet(() -> NearestKey.remedy(key, valid));
  }

  /** Capitals, dashes and a plural apart, a word is the same. */
  private static String stem(String key) {
    return key.toLowerCase(Locale.ROOT).replace('-', '_').replaceFirst("s$", "");
  }

  /** Where a key belongs that does not stand in its section; empty if it belongs nowhere. */
  private static Optional<String> placeOf(String key, String wrongSection) {
    return SECTIONS.stream()
        .filter(section -> !section.getKey().equals(wrongSection))
        .filter(section -> section.getValue().names().contains(key))
        .map(Map.Entry::getKey)
        .map(name -> name.isEmpty()
            ? "it belongs at the file's first level"
            : "it belongs under " + name + ":")
        .findFirst();
  }
}
