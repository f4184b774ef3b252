package tallystick.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A harness for llm-d-benchmark: the script that its pod runs, and the scenario as the profile
 * that it mounts there. Both lie as in a checkout of llm-d-benchmark.
 *
 * @param scenario the scenario's file
 * @param arguments what {@code tally run} is told beside scenario, target and model
 */
public record LlmdFiles(Path scenario, List<String> arguments) {
  private static final String HARNESS = "tallystick";

  public LlmdFiles {
    arguments = List.copyOf(arguments);
  }

  /** What llm-d-benchmark calls the scenario. */
  public String profile() {
    String plain = scenario.getFileName().toString().replaceAll("[^A-Za-z0-9._-]+", "-");
    return plain.replaceFirst("\\.ya?ml$", "") + ".yaml";
  }

  /** Writes both below a folder. */
  public List<Path> write(Path folder) throws IOException {
    Path profiles =
        Files.createDirectories(folder.resolve("workload/profiles").resolve(HARNESS));
    Path harnesses = Files.createDirectories(folder.resolve("workload/harnesses"));
    Path profile = profiles.resolve(profile() + ".in");
    Files.copy(scenario, profile, StandardCopyOption.REPLACE_EXISTING);
    String words =
        arguments.stream().map(Template::shellWord).collect(Collectors.joining(" "));
    Path script =
        Files.writeString(
            harnesses.resolve(HARNESS + "-llm-d-benchmark.sh"),
            Template.fill("llm-d.sh", Map.of("arguments", words)));
    if (!script.toFile().setExecutable(true, false)) {
      throw new IOException(script + " cannot be made executable: write to another folder");
    }
    return List.of(script, profile);
  }
}
