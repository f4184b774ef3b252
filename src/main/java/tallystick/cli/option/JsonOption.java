package tallystick.cli.option;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * For programs: the answer as one JSON document on the standard output. All that is for people goes
 * to the error output then; a command without an answer writes no document.
 */
public final class JsonOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private Optional<PrintWriter> programs = Optional.empty();

  @Option(
      names = "--json",
      description = "print the answer as one JSON document")
  void choose(boolean isWanted) {
    if (isWanted && programs.isEmpty()) {
      programs = Optional.of(spec.commandLine().getOut());
      spec.commandLine().setOut(spec.commandLine().getErr());
    }
  }

  /** Whether a program asks. */
  public boolean isWanted() {
    return programs.isPresent();
  }

  /** Prints a file that holds the answer, if it is wanted as JSON. */
  public void print(Path file) throws IOException {
    if (isWanted()) {
      String answer = Files.readString(file);
      print(() -> answer);
    }
  }

  /** Prints the answer, if it is wanted as JSON. */
  public void print(Supplier<String> answer) {
    programs.ifPresent(
        out -> {
          out.println(answer.get().strip());
          out.flush();
        });
  }
}
