package tallystick.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import tallystick.answer.words.ProgramName;
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
import tallystick.cli.option.StrengthOption;
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
  /** What these print may be of any other command. */
  private static final Set<String> OF_ALL = Set.of("help", "completion");

  @Spec private CommandSpec spec;

  private Tally() {}

  /** Runs a command and ends the process with its code. */
  public static void main(String[] words) {
    // Figures are written for machines too: their digits and points are the same everywhere.
    Locale.setDefault(Locale.ROOT);
    Thread.setDefaultUncaughtExceptionHandler(FatalErrorHandler::ofThread);
    Interruption interruption = Interruption.watch();
    try {
      LauncherScript.answer();
      String[] arguments = withoutComment(words);
      OutputStream log =
          List.of(arguments).contains("--quiet")
              ? OutputStream.nullOutputStream()
              : new FileOutputStream(FileDescriptor.err);
      StillWorking working = StillWorking.on(new FileOutputStream(FileDescriptor.out), log);
      String name = ProgramName.TYPED;
      PrintWriter out = TerminalWriter.to(FileDescriptor.out, System.out.charset(), name, working);
      PrintWriter err = TerminalWriter.to(FileDescriptor.err, System.err.charset(), name, working);
      int code =
          commandLine(interruption, List.of(arguments))
              .setOut(out)
              .setErr(err)
              .execute(arguments);
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

  /** The words before a comment: an interactive zsh hands one on as words. */
  static String[] withoutComment(String... words) {
    return Arrays.stream(words).takeWhile(word -> !word.equals("#")).toArray(String[]::new);
  }

  static CommandLine commandLine(Interruption interruption) {
    return commandLine(commands(interruption), name -> true);
  }

  /** The options of all commands take longer to make than most commands: only what is asked for. */
  static CommandLine commandLine(Interruption interruption, List<String> words) {
    Map<Class<?>, Supplier<?>> commands = commands(interruption);
    String first = words.isEmpty() ? "--help" : words.getFirst();
    boolean isOfNone = List.of("-h", "--help", "-V", "--version").contains(first);
    boolean isOfOne =
        !OF_ALL.contains(first)
            && commands.keySet().stream().anyMatch(command -> first.equals(name(command)));
    return commandLine(
        commands, name -> !isOfNone && (!isOfOne || first.equals(name)));
  }

  /** The commands as they are listed, with what makes each. */
  private static Map<Class<?>, Supplier<?>> commands(Interruption interruption) {
    Map<Class<?>, Supplier<?>> commands = new LinkedHashMap<>();
    commands.put(CommandLine.HelpCommand.class, CommandLine.HelpCommand::new);
    commands.put(RunCommand.class, () -> new RunCommand(interruption));
    commands.put(MergeCommand.class, MergeCommand::new);
    commands.put(LaunchCommand.class, LaunchCommand::new);
    commands.put(ReportCommand.class, ReportCommand::new);
    commands.put(OpenCommand.class, () -> new OpenCommand(System.getenv()));
    commands.put(CompareCommand.class, CompareCommand::new);
    commands.put(HistoryCommand.class, HistoryCommand::new);
    commands.put(InitCommand.class, InitCommand::new);
    commands.put(PlanCommand.class, PlanCommand::new);
    commands.put(EngineCommand.class, () -> new EngineCommand(interruption));
    commands.put(SimulateCommand.class, SimulateCommand::new);
    commands.put(CapacityCommand.class, () -> new CapacityCommand(interruption));
    commands.put(StudyCommand.class, () -> new StudyCommand(interruption));
    commands.put(RegressCommand.class, () -> new RegressCommand(interruption));
    commands.put(TuneCommand.class, () -> new TuneCommand(interruption));
    commands.put(FitCommand.class, FitCommand::new);
    commands.put(AlertsCommand.class, AlertsCommand::new);
    commands.put(BacktestCommand.class, BacktestCommand::new);
    commands.put(WatchCommand.class, WatchCommand::new);
    commands.put(LintCommand.class, LintCommand::new);
    commands.put(SnapshotCommand.class, SnapshotCommand::new);
    commands.put(DoctorCommand.class, DoctorCommand::new);
    commands.put(ExportCommand.class, ExportCommand::new);
    commands.put(VerifyCommand.class, VerifyCommand::new);
    commands.put(CompletionCommand.class, CompletionCommand::new);
    return commands;
  }

  private static String name(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  /** All commands; those that are not whole have a name and a description alone. */
  private static CommandLine commandLine(
      Map<Class<?>, Supplier<?>> commands, Predicate<String> isWhole) {
    CommandLine line = new CommandLine(new Tally());
    commands.forEach(
        (command, made) ->
            line.addSubcommand(isWhole.test(name(command)) ? made.get() : listed(command)));
    line.setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(Tally::execute)
        .setParameterExceptionHandler(Tally::answerMistake)
        .setExecutionExceptionHandler((failure, any, parsed) -> explain(failure, any));
    int columns = TerminalWriter.terminal().columns();
    return HelpPages.in(Examples.in(GivenNumber.in(line), columns), columns);
  }

  private static CommandSpec listed(Class<?> command) {
    Command said = command.getAnnotation(Command.class);
    CommandSpec spec = CommandSpec.create().name(said.name());
    spec.usageMessage().header(said.header()).description(said.description());
    return spec;
  }

  private static int execute(ParseResult parsed) {
    String[] words = parsed.originalArgs().toArray(String[]::new);
    CommandLine line = parsed.asCommandLineList().getLast();
    if (!line.isUsageHelpRequested()) {
      StrengthOption.check(line);
    }
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
