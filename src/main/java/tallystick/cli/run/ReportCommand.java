package tallystick.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.ShellCommand;
import tallystick.cli.option.StrengthOption;

/** Analyses and renders a finished run again, without load. */
@Command(
    name = "report",
    description = "Analyse a recorded run again and write its reports. Sends nothing.")
public final class ReportCommand extends ShellCommand {
  @Parameters(paramLabel = "RUN", description = "a run's folder, for example reports/quickstart-…")
  private Path folder;

  @Option(
      names = "--allow-foreign-traffic",
      description = "do not fail a run whose client and engine counts differ")
  private boolean allowForeignTraffic;

  @Option(
      names = "--baseline",
      paramLabel = "RUN",
      description = "a healthy run to compare this run's signals with")
  private Path baseline;

  @Mixin private StrengthOption strength;

  @Mixin private AnswerOptions options;

  @Override
  public Integer call() throws Exception {
    return SpareHeap.during(this::report);
  }

  private Integer report() throws IOException {
    RunReport report = new RunReport(options, strength);
    ExitCode code =
        baseline == null
            ? report.write(folder, allowForeignTraffic)
            : report.writeAgainst(folder, baseline, allowForeignTraffic);
    return code.number();
  }
}
