package tallystick.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a manual page, made from what the command line says of itself. */
@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    description = "Print the manual page of a command.",
    footer = {
      "%nExamples:",
      "  ./tally man run | man -l -",
      "  ./tally man simulate > ~/.local/share/man/man1/tally-simulate.1"
    })
final class ManCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..1",
      defaultValue = "",
      description = "a command; without one the page of tally itself")
  private String name;

  @Override
  public Integer call() {
    CommandSpec root = spec.root();
    if (!name.isEmpty() && !root.subcommands().containsKey(name)) {
      throw new ParameterException(
          spec.commandLine(),
          "no command '" + name + "'; there are " + String.join(", ", root.subcommands().keySet()));
    }
    CommandSpec shown = name.isEmpty() ? root : root.subcommands().get(name).getCommandSpec();
    PrintWriter out = spec.commandLine().getOut();
    out.print(new ManualPage(shown).text());
    out.flush();
    return ExitCode.GOOD.number();
  }
}
