package tallystick.cli.help;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine;
import tallystick.cli.exit.ExitCode;

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
public final class ManCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "a command, for example run or launch slurm; without one the page of tally")
  private List<String> names = List.of();

  @Override
  public Integer call() {
    CommandSpec shown = spec.root();
    for (String name : names) {
      Map<String, CommandLine> known = shown.subcommands();
      if (!known.containsKey(name)) {
        String there = known.isEmpty() ? "none" : String.join(", ", known.keySet());
        throw new ParameterException(
            spec.commandLine(), "no command '" + name + "'; there are " + there);
      }
      shown = known.get(name).getCommandSpec();
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(new ManualPage(shown).text());
    out.flush();
    return ExitCode.GOOD.number();
  }
}
