package tallystick.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /** What to write instead of each; none where the command takes no key, or none was typed. */
  static List<String> meant(ParameterException mistake) {
    if (!(mistake instanceof UnmatchedArgumentException unmatched)
        || mistake.getCommandLine().getCommandSpec().findOption("--set") == null) {
      return List.of();
    }
    List<String> words = unmatched.getUnmatched();
    List<String> meant = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String[] typed = words.get(i).split("=", 2);
      String next = i + 1 < words.size() ? words.get(i + 1) : "VALUE";
      String value = typed.length > 1 ? typed[1] : next;
      if (KEYS.containsKey(typed[0])) {
        meant.add(
            typed[0] + " is a key of the scenario: write --set " + KEYS.get(typed[0]) + "="
                + value);
      }
    }
    return meant;
  }
}
