package tallystick.cli.experiment;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tallystick.answer.Answer;
import tallystick.answer.Decision;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.exit.Interruption;
import tallystick.cli.option.GivenTime;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.OutOption;
import tallystick.cli.option.StrengthOption;
import tallystick.cli.option.TypedCommand;
import tallystick.cli.run.RunFolder;
import tallystick.cli.terminal.TerminalWriter;
import tallystick.experiment.Budget;
import tallystick.experiment.Design;
import tallystick.experiment.ExperimentLoop;
import tallystick.experiment.Journal;
import tallystick.experiment.JournalIdentity;
import tallystick.experiment.Site;
import tallystick.report.AnswerFiles;
import tallystick.report.RunsPage;
import tallystick.scenario.PlainText;

/** Options of every experiment: its time, its folder, and where it goes on. */
final class ExperimentOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      description = "time for all runs, for example 30m")
  private String budget;

  @Option(
      names = "--resume",
      paramLabel = "FOLDER",
      description = "continue the interrupted experiment in this folder")
  private Path resumed;

  @Mixin private OutOption out;

  @Mixin private StrengthOption strength;

  /** What is done with an answer. */
  interface End<A> {
    /** Shows it. */
    Answer in(Path folder, A answer) throws IOException;
  }

  Budget budget() {
    return new Budget(
        budget == null
            ? OptionalDouble.empty()
            : OptionalDouble.of(GivenTime.seconds("--budget", budget)));
  }

  /** Plays an experiment until it has an answer, or somebody interrupts it; the exit code. */
  <A> int play(
      Design<?, A> design, long seed, Interruption interruption, JsonOption json, End<A> end)
      throws IOException, InterruptedException {
    JournalIdentity<?> identity = design.identity();
    Path folder = folder(identity, seed);
    Optional<A> answer;
    try (FileChannel held = locked(folder)) {
      begin(folder, identity);
      answer = run(design, folder, interruption);
    }
    if (answer.isEmpty()) {
      return ExitCode.INTERRUPTED.number();
    }
    Answer shown = end.in(folder, answer.get());
    json.print(folder.resolve(shown.figures().file()));
    return ExitCode.of(strength.outcome(shown)).number();
  }

  /** Open while this process works in a folder; the system closes it for the dead. */
  static FileChannel locked(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("journal.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // Another thread of this process holds it.
    }
    channel.close();
    throw new Mistake("another tally works in " + folder + ": wait for its end, or end it first");
  }

  private <A> Optional<A> run(
      Design<?, A> design, Path folder, Interruption interruption)
      throws IOException, InterruptedException {
    PrintWriter console = spec.commandLine().getOut();
    boolean isQuiet = spec.commandLine().getParseResult().hasMatchedOption(TestBedOptions.QUIET);
    if (!isQuiet) {
      console.println("Experiment in " + folder);
    }
    Optional<A> answer;
    try {
      answer =
          ExperimentLoop.run(
              design,
              new Site(
                  folder,
                  line -> {
                    if (!isQuiet) {
                      console.println(line);
                    }
                  },
                  interruption::isInterrupted));
    } catch (IOException e) {
      throw new IOException(
          e.getMessage() + "\nThe finished runs are kept: fix it and give the same command with"
              + " --resume " + PlainText.argument(folder),
          e);
    }
    if (answer.isEmpty()) {
      console.println(
          "Interrupted. The same command with --resume " + PlainText.argument(folder)
              + " goes on.");
    }
    return answer;
  }

  /** Says what was decided: on the terminal, in its folder's files, and in the list of runs. */
  Answer show(Path folder, Decision decision) throws IOException {
    return show(folder, decision, false);
  }

  /** The same, with the whole account below the first screen if that is asked for. */
  Answer show(Path folder, Decision decision, boolean isVerbose) throws IOException {
    Answer answer = decision.answer(TypedCommand.invocation(spec, folder.toString()));
    AnswerFiles.write(answer, folder, Clock.systemUTC().instant().toString());
    RunsPage.renew(folder);
    TerminalWriter.show(spec.commandLine().getOut(), answer, isVerbose);
    return answer;
  }

  private Path folder(JournalIdentity<?> identity, long seed) throws IOException {
    if (resumed == null) {
      return RunFolder.create(
          out.folder(), identity.scenario() + "-" + identity.experiment(),
          HexFormat.of().toHexDigits(seed), Clock.systemUTC());
    }
    if (!Journal.isIn(resumed)) {
      throw new Mistake(Journal.noneIn(resumed));
    }
    return resumed;
  }

  /** Looks at the journal only when nobody else writes it. */
  private void begin(Path folder, JournalIdentity<?> identity) throws IOException {
    if (resumed == null) {
      Journal.begin(folder, identity);
      return;
    }
    Optional<String> mistake = Journal.mistakeIn(folder, identity);
    if (mistake.isPresent()) {
      throw new Mistake(mistake.get());
    }
  }
}
