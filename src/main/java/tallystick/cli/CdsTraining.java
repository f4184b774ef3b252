package tallystick.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.exit.Interruption;

/**
 * Plays what commands begin with, so that Java can remember their classes: the launcher starts it
 * once for each jar. A report, then a run up to where its load would start.
 */
public final class CdsTraining {
  private CdsTraining() {}

  /**
   * Plays and ends the process.
   *
   * @param arguments folder of a run, which gets new reports; a scenario without a target
   */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    play(Path.of(arguments[0]), Path.of(arguments[1]), new PrintWriter(System.out));
    System.exit(ExitCode.GOOD.number());
  }

  /** The exit codes of both; the run's is {@link ExitCode#WORLD_FAILED}. */
  static List<Integer> play(Path run, Path scenario, PrintWriter out) {
    // Nothing can be recorded below a file: the run ends there, before anything is sent.
    String nowhere = scenario.resolve("no-folder").toString();
    Interruption interruption = Interruption.watch();
    CommandLine line = Tally.commandLine(interruption).setOut(out).setErr(out);
    List<Integer> codes =
        List.of(
            line.execute("report", run.toString()),
            line.execute("run", scenario.toString(), "--out", nowhere));
    interruption.finished();
    return codes;
  }
}
