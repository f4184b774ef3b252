package tallystick.cli.launch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.JsonOption;
import tallystick.launch.ClusterClient;
import tallystick.launch.SlurmFile;
import tallystick.report.Reports;
import tallystick.scenario.PlainText;

/** Writes a batch script whose tasks are the shards. */
@Command(
    name = "slurm",
    mixinStandardHelpOptions = true,
    description = {
      "Write a batch script: one job, a task on each node, all or none.",
      "The nodes see the scenario, ./tally and this folder under the same names."
    })
final class LaunchSlurmCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private LaunchOptions options;

  @Mixin private JsonOption json;

  @Option(
      names = "--tally",
      paramLabel = "FILE",
      defaultValue = "tally",
      description = "the launcher, as the nodes see it (default: ./tally)")
  private Path tally;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    Path script =
        new SlurmFile(
                options.order(options.scenario(), "shards"),
                LaunchOptions.launcher(tally),
                options.leadSeconds("60s"))
            .write(options.folder());
    console.println("Written: " + script);
    json.print(() -> Reports.json(Map.of("files", List.of(script.toString()))));
    if (!options.isSubmitted()) {
      console.println("NEXT     sbatch --wait " + PlainText.argument(script));
      console.flush();
      return ExitCode.GOOD.number();
    }
    console.flush();
    return new ClusterClient(console, System::nanoTime).submit(script);
  }
}
