package tallystick.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.StrengthOption;
import tallystick.cli.option.Verbosity;

/** Analyses and renders a finished run again, without load. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Analyse a recorded run again and write its reports. Sends nothing.")
public final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RUN", description = "a run's folder, for example reports/quickstart-…")
  private Path folder;

  @Option(
      names = "--allow-foreign-traffic",
      description = "do not fail a run because its ledger does not close")
  private boolean allowForeignTraffic;

  @Option(
      names = "--baseline",
      paramLabel = "RUN",
      description = "a healthy run; signals are called high or stable against it")
  private Path baseline;

  @Mixin private StrengthOption strength;

  @Mixin private Verbosity verbosity;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException {
    RunReport report =
        new RunReport(folder, spec.commandLine().getOut(), verbosity, json, strength);
    ExitCode code =
        baseline == null
            ? report.write(allowForeignTraffic)
            : report.writeAgainst(baseline, allowForeignTraffic);
    return code.number();
  }
}
