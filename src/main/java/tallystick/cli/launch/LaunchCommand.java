package tallystick.cli.launch;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tallystick.cli.option.Mistake;

/** Has a cluster run the shards of one run. */
@Command(
    name = "launch",
    mixinStandardHelpOptions = true,
    description = "Write what a cluster needs to run a scenario, on one machine or on several.",
    subcommands = {
      LaunchKubernetesCommand.class, LaunchLlmdCommand.class, LaunchSlurmCommand.class
    })
public final class LaunchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new Mistake(
        "Name the cluster: ./tally launch kubernetes SCENARIO, ./tally launch slurm SCENARIO, or"
            + " ./tally launch llm-d SCENARIO");
  }
}
