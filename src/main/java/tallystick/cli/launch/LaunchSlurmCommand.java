package tallystick.cli.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.launch.ClusterClient;
import tallystick.launch.SlurmFile;
import tallystick.report.Reports;
import tallystick.runrecord.Shard;
import tallystick.scenario.PlainText;

/** Writes a batch script whose tasks are the shards. */
@Command(
    name = "slurm",
    description = {
      "Write a batch script: one job with a task on each node; it starts only when it has all"
          + " nodes.",
      "All nodes must see the scenario, ./tally and this folder under the same paths."
    })
final class LaunchSlurmCommand extends ShellCommand {
  @Mixin private LaunchOptions options;

  @Mixin private JsonOption json;

  @Option(
      names = "--tally",
      paramLabel = "FILE",
      defaultValue = "tally",
      description = "path of ./tally on the nodes (default: ./tally)")
  private Path tally;

  @Option(
      names = "--lead",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "time between the nodes being up and the common start (default:"
          + " ${DEFAULT-VALUE})")
  private String lead;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path script =
        new SlurmFile(
                options.order(options.scenario(), "shards"),
                LaunchOptions.launcher(tally),
                leadSeconds())
            .write(options.folder());
    console().println("Written: " + script);
    json.print(() -> Reports.json(Map.of("files", List.of(script.toString()))));
    if (!options.isSubmitted()) {
      console().println("NEXT     sbatch --wait " + PlainText.argument(script));
      return ExitCode.GOOD.number();
    }
    return new ClusterClient(console(), System::nanoTime).submit(script);
  }

  private long leadSeconds() {
    long seconds = Math.round(GivenTime.seconds("--lead", lead));
    if (seconds * 1_000_000_000L <= Shard.LEAD_NANOS) {
      throw new Mistake("--lead is " + lead + ": shards need about 20 s to get ready");
    }
    return seconds;
  }
}
