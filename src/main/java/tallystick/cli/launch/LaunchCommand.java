package tallystick.cli.launch;

import picocli.CommandLine.Command;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;

/** Has a cluster run the shards of one run. */
@Command(
    name = "launch",
    description = "Write what a cluster needs to run a scenario, on one machine or on several.",
    subcommands = {
      LaunchKubernetesCommand.class, LaunchLlmdCommand.class, LaunchSlurmCommand.class
    })
public final class LaunchCommand extends ShellCommand {
  @Override
  public Integer call() {
    throw new Mistake(
        "Name the cluster: ./tally launch kubernetes SCENARIO, ./tally launch slurm SCENARIO, or"
            + " ./tally launch llm-d SCENARIO");
  }
}
