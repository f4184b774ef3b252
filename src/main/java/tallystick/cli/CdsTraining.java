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
 * once for each jar. A report, then a run up to where its load would start; or quick commands,
 * which start sooner with a memory of their own.
 */
public final class CdsTraining {
  private CdsTraining() {}

  /** Of this kind is what quick commands need. */
  private static final String QUICK = "quick";

  /** Nobody listens there. */
  private static final String NOBODY = "http://127.0.0.1:1";

  /**
   * Plays and ends the process.
   *
   * @param arguments folder of a run, which gets new reports; a scenario without a target; the kind
   */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    PrintWriter out = new PrintWriter(System.out);
    Path scenario = Path.of(arguments[1]);
    if (arguments[2].equals(QUICK)) {
      playQuick(scenario, out);
    } else {
      play(Path.of(arguments[0]), scenario, out);
    }
    System.exit(ExitCode.GOOD.number());
  }

  /** The exit codes of a plan, a lint, a look at a server that is not there, and help. */
  static List<Integer> playQuick(Path scenario, PrintWriter out) {
    Interruption interruption = Interruption.watch();
    CommandLine line = Tally.commandLine(interruption).setOut(out).setErr(out);
    List<Integer> codes =
        List.of(
            line.execute("plan", scenario.toString()),
            line.execute("lint", scenario.toString()),
            line.execute("doctor", "--target", NOBODY),
            line.execute("--help"));
    interruption.finished();
    return codes;
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
