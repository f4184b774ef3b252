package tallystick.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tallystick.runrecord.RecordReader;

/**
 * A run with a known truth: a load of completions, and what {@code tally simulate} is told to do to
 * it.
 *
 * @param workload lines of the scenario's workload, in YAML's flow form
 * @param seconds length of the measured window
 * @param options of the command
 */
record PlantedRun(String workload, int seconds, List<String> options) {

  static PlantedRun of(String workload, int seconds, String... options) {
    return new PlantedRun(workload, seconds, List.of(options));
  }

  /** Plays it with a seed in virtual time; the record lies in a new folder below {@code parent}. */
  RecordReader play(Path parent, long seed) throws IOException {
    return RecordReader.open(folder(parent, seed));
  }

  /** The same, and where the run lies. */
  Path folder(Path parent, long seed) throws IOException {
    Path out = Files.createTempDirectory(parent, "run");
    Path scenario = out.resolve("planted.yaml");
    Files.writeString(scenario, scenario(seed));
    List<String> arguments = new ArrayList<>(List.of("simulate", scenario.toString()));
    arguments.addAll(List.of("--no-report", "--out", out.toString()));
    arguments.addAll(options);
    CommandRun ran = CommandRun.of(arguments.toArray(String[]::new));
    if (ran.code() != 0) {
      throw new AssertionError(ran.output());
    }
    return CommandRun.onlyRun(out);
  }

  private String scenario(long seed) {
    return """
        name: planted
        endpoint: completions
        workload: %s
        duration: %ds
        warmup: {requests: 8}
        seed: %d
        scrape_interval: 1s
        timeout: 900s
        """
        .formatted(workload, seconds, seed);
  }
}
