package tallystick.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Keys of a scenario that people type as options, as other load generators have them. */
final class ScenarioKeys {
  private static final Map<String, String> KEYS =
      Map.of(
          "--rate", "workload.rate", "--request-rate", "workload.rate",
          "--concurrency", "workload.concurrency", "--users", "workload.concurrency",
          "--prompt-tokens", "workload.prompt_tokens",
          "--output-tokens", "workload.output_tokens",
          "--duration", "duration", "--warmup", "warmup");

  private ScenarioKeys() {}

  /** What to write instead; empty where the command takes no key, or the option is none. */
  static Optional<String> meant(ParameterException mistake) {
    if (!(mistake instanceof UnmatchedArgumentException unmatched)
        || mistake.getCommandLine().getCommandSpec().findOption("--set") == null) {
      return Optional.empty();
    }
    List<String> words = unmatched.getUnmatched();
    String[] first = words.getFirst().split("=", 2);
    String value = first.length > 1 ? first[1] : words.size() > 1 ? words.get(1) : "VALUE";
    return Optional.ofNullable(KEYS.get(first[0]))
        .map(key -> first[0] + " is a key of the scenario: write --set " + key + "=" + value);
  }
}
