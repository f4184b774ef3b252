package tallystick.cli.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ScenarioOptions;
import tallystick.cli.option.ShellCommand;
import tallystick.launch.LlmdFiles;
import tallystick.report.Reports;
import tallystick.scenario.Scenario;

/** Writes a harness for llm-d-benchmark. */
@Command(
    name = "llm-d",
    description = {
      "Write a harness for llm-d-benchmark: a script, and the scenario as its profile.",
      "Copy the folder workload into a checkout of llm-d-benchmark."
    })
final class LaunchLlmdCommand extends ShellCommand {
  @Mixin private ScenarioOptions options;

  @Mixin private JsonOption json;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "launch",
      description = "where to write the files (default: ${DEFAULT-VALUE})")
  private Path out;

  @Override
  public Integer call() throws IOException {
    Scenario scenario = options.read(List.of());
    List<String> files = ScenarioCompanions.files(scenario);
    if (!files.isEmpty()) {
      throw new Mistake(
          "this scenario reads a file (" + String.join(", ", files) + "), which does not travel"
              + " to the pod: only the scenario itself is mounted there");
    }
    LlmdFiles harness = new LlmdFiles(options.file(), options.words());
    List<Path> written = harness.write(out);
    written.forEach(file -> console().println("Written: " + file));
    console().println("NEXT     cp -r " + out.resolve("workload") + " LLM-D-BENCHMARK/");
    console().println("         llmdbenchmark … run --harness tallystick --workload "
        + harness.profile());
    List<String> names = written.stream().map(Path::toString).toList();
    json.print(() -> Reports.json(Map.of("files", names)));
    return ExitCode.GOOD.number();
  }
}
