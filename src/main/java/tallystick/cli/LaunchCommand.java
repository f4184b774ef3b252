package tallystick.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Has a cluster run the shards of one run. */
@Command(
    name = "launch",
    mixinStandardHelpOptions = true,
    description = "Write what a cluster needs to run a scenario on several machines.",
    subcommands = {LaunchKubernetesCommand.class, LaunchSlurmCommand.class})
final class LaunchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Name the cluster: ./tally launch kubernetes SCENARIO, or ./tally launch slurm SCENARIO");
  }
}
