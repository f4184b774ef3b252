package tallystick.cli.option;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tallystick.answer.Invocation;

/** What every command has: its help, where its words go, and the number that it ends with. */
@Command(mixinStandardHelpOptions = true)
public abstract class ShellCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** The command as the library knows it. */
  protected final CommandSpec spec() {
    return spec;
  }

  /** Where words for people go. */
  protected final PrintWriter console() {
    return spec.commandLine().getOut();
  }

  /** Where words go that must not stand in the answer. */
  protected final PrintWriter errors() {
    return spec.commandLine().getErr();
  }

  /**
   * The command as it was typed, whose answer can name the next one.
   *
   * @param folder where its files lie, as a user names it; empty where there is none
   */
  protected final Invocation invocation(String folder) {
    return TypedCommand.invocation(spec, folder);
  }
}
