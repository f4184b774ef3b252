package tallystick.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import tallystick.cli.alerting.AlertsCommand;
import tallystick.cli.alerting.BacktestCommand;
import tallystick.cli.alerting.LintCommand;
import tallystick.cli.alerting.WatchCommand;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.exit.FailureWords;
import tallystick.cli.exit.FatalErrorHandler;
import tallystick.cli.exit.Interruption;
import tallystick.cli.exit.LauncherScript;
import tallystick.cli.experiment.CapacityCommand;
import tallystick.cli.experiment.CompareCommand;
import tallystick.cli.experiment.FitCommand;
import tallystick.cli.experiment.RegressCommand;
import tallystick.cli.experiment.StudyCommand;
import tallystick.cli.experiment.TuneCommand;
import tallystick.cli.help.CompletionCommand;
import tallystick.cli.help.Examples;
import tallystick.cli.help.HelpPages;
import tallystick.cli.help.MisplacedWords;
import tallystick.cli.launch.LaunchCommand;
import tallystick.cli.option.GivenNumber;
import tallystick.cli.option.Mistake;
import tallystick.cli.run.MergeCommand;
import tallystick.cli.run.ReportCommand;
import tallystick.cli.run.RunCommand;
import tallystick.cli.run.SimulateCommand;
import tallystick.cli.run.Versions;
import tallystick.cli.terminal.StillWorking;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.run.TargetException;
import tallystick.runrecord.NoRecordException;
import tallystick.scenario.NearestKey;
import tallystick.scenario.ScenarioException;

/** The command line. */
@Command(
    name = "tally",
    mixinStandardHelpOptions = true,
    versionProvider = Versions.class,
    description = "Load tests for vLLM: what the client measured, checked against the engine's"
        + " own metrics.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "  0:done, and the result is good",
      "  1:a result that fails: an objective is missed",
      "  2:a mistake in the scenario or on the command line",
      "  3:something outside tally failed: target down, no metrics, disk full",
      "  4:the measurement cannot be trusted; the report says why",
      "  5:too close to call; the answer says how much more would settle it",
      " 70:a bug in tally",
      "130:interrupted; the record is closed and reported"
    })
public final class Tally implements Runnable {
  @Spec private CommandSpec spec;

  private Tally() {}

  /** Runs a command and ends the process with its code. */
  public static void main(String[] arguments) {
    // Figures are written for machines too: their digits and points are the same everywhere.
    Locale.setDefault(Locale.ROOT);
    Thread.setDefaultUncaughtExceptionHandler(FatalErrorHandler::ofThread);
    Interruption interruption = Interruption.watch();
    try {
      LauncherScript.answer();
      StillWorking working = StillWorking.on(new FileOutputStream(FileDescriptor.out));
      String name = System.getenv().getOrDefault("TALLY_COMMAND", "");
      PrintWriter out = TerminalWriter.to(FileDescriptor.out, System.out.charset(), name, working);
      PrintWriter err = TerminalWriter.to(FileDescriptor.err, System.err.charset(), name, working);
      int code = commandLine(interruption).setOut(out).setErr(err).execute(arguments);
      out.flush();
      err.flush();
      working.end();
      interruption.finished();
      if (out.checkError()) {
        err.println("what was to be printed could not be written");
        code = code == ExitCode.GOOD.number() ? ExitCode.WORLD_FAILED.number() : code;
      }
      System.exit(ExitCode.leaving(code, LauncherScript.isThere()));
    } catch (IOException e) {
      System.err.println(FailureWords.of(e));
      System.exit(ExitCode.WORLD_FAILED.number());
    } catch (Error e) {
      FatalErrorHandler.say(e);
    }
  }

  static CommandLine commandLine(Interruption interruption) {
    return HelpPages.in(Examples.in(GivenNumber.in(new CommandLine(new Tally())
        .addSubcommand(new CommandLine.HelpCommand())
        .addSubcommand(new RunCommand(interruption))
        .addSubcommand(new MergeCommand())
        .addSubcommand(new LaunchCommand())
        .addSubcommand(new ReportCommand())
        .addSubcommand(new OpenCommand(System.getenv()))
        .addSubcommand(new CompareCommand())
        .addSubcommand(new HistoryCommand())
        .addSubcommand(new InitCommand())
        .addSubcommand(new PlanCommand())
        .addSubcommand(new EngineCommand(interruption))
        .addSubcommand(new SimulateCommand())
        .addSubcommand(new CapacityCommand(interruption))
        .addSubcommand(new StudyCommand(interruption))
        .addSubcommand(new RegressCommand(interruption))
        .addSubcommand(new TuneCommand(interruption))
        .addSubcommand(new FitCommand())
        .addSubcommand(new AlertsCommand())
        .addSubcommand(new BacktestCommand())
        .addSubcommand(new WatchCommand())
        .addSubcommand(new LintCommand())
        .addSubcommand(new SnapshotCommand())
        .addSubcommand(new DoctorCommand())
        .addSubcommand(new ExportCommand())
        .addSubcommand(new VerifyCommand())
        .addSubcommand(new CompletionCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(Tally::execute)
        .setParameterExceptionHandler(Tally::answerMistake)
        .setExecutionExceptionHandler((failure, line, parsed) -> explain(failure, line)))),
        TerminalWriter.terminal().columns());
  }

  private static int execute(ParseResult parsed) {
    String[] words = parsed.originalArgs().toArray(String[]::new);
    CommandLine line = parsed.asCommandLineList().getLast();
    return HelpPages.isEngineAsked(line, words)
        ? showEngineHelp(line)
        : new CommandLine.RunLast().execute(parsed);
  }

  private static int answerMistake(ParameterException mistake, String... words) {
    return HelpPages.isEngineAsked(mistake.getCommandLine(), words)
        ? showEngineHelp(mistake.getCommandLine())
        : pointOut(mistake);
  }

  private static int showEngineHelp(CommandLine line) {
    line.getOut().print(HelpPages.ofEngine(line));
    return ExitCode.GOOD.number();
  }

  @Override
  public void run() {
    String example = "./tally run scenarios/quickstart.yaml";
    throw new ParameterException(
        spec.commandLine(),
        spec.commandLine().getUsageMessage() + "\nName a command, for example " + example);
  }

  private static int pointOut(ParameterException mistake) {
    CommandLine line = mistake.getCommandLine();
    PrintWriter err = line.getErr();
    List<String> keys = MisplacedWords.meant(mistake);
    if (keys.isEmpty()) {
      err.println(mistake.getMessage());
      suggestions(mistake).forEach(err::println);
    }
    keys.forEach(err::println);
    err.println("Try: " + line.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USER_MISTAKE.number();
  }

  /** A command or option that was probably meant; the library offers far ones, too. */
  private static List<String> suggestions(ParameterException mistake) {
    if (!(mistake instanceof CommandLine.UnmatchedArgumentException unmatched)) {
      return List.of();
    }
    String typed = unmatched.getUnmatched().getFirst().split("=", 2)[0];
    List<String> known = new ArrayList<>(unmatched.getSuggestions());
    known.addAll(mistake.getCommandLine().getSubcommands().keySet());
    known.addAll(mistake.getCommandLine().getCommandSpec().optionsMap().keySet());
    return MisplacedWords.command(typed, mistake.getCommandLine())
        .or(() -> NearestKey.nearest(typed, known).map(near -> "Did you mean: " + near + "?"))
        .or(() -> choices(mistake.getCommandLine()))
        .stream()
        .toList();
  }

  /** The commands below a command. */
  private static Optional<String> choices(CommandLine line) {
    return line.getSubcommands().isEmpty()
        ? Optional.empty()
        : Optional.of("Name one of: " + String.join(", ", line.getSubcommands().keySet()));
  }

  /** Says what a command failed of, and gives the code to end with. */
  static int explain(Exception failure, CommandLine line) {
    if (failure instanceof Mistake) {
      return pointOut(new ParameterException(line, failure.getMessage()));
    }
    PrintWriter err = line.getErr();
    if (failure instanceof ScenarioException
        || failure instanceof NoRecordException) {
      err.println(failure.getMessage());
      return ExitCode.USER_MISTAKE.number();
    }
    if (failure instanceof TargetException target) {
      err.println(target.getMessage());
      return switch (target.fault()) {
        case USER -> ExitCode.USER_MISTAKE.number();
        case WORLD -> ExitCode.WORLD_FAILED.number();
      };
    }
    if (failure instanceof IOException || failure instanceof UncheckedIOException) {
      err.println(FailureWords.of(failure));
      return ExitCode.WORLD_FAILED.number();
    }
    err.println("This is a bug in tally; please report it with the lines below.");
    failure.printStackTrace(err);
    return ExitCode.BUG.number();
  }
}
