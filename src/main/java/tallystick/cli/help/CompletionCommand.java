package tallystick.cli.help;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tallystick.cli.exit.ExitCode;

/** Prints what a shell needs to complete the command line, made from the commands themselves. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Print a script that completes commands and options in a shell.",
    footer = {
      "%nExamples:",
      "  source <(./tally completion bash)     in bash, for this shell",
      "  source <(./tally completion zsh)      in zsh"
    })
public final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  private Shell shell;

  /** Shells whose script there is; zsh reads that of bash, which turns on what it needs. */
  enum Shell {
    bash,
    zsh
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(AutoComplete.bash("tally", spec.root().commandLine()));
    out.flush();
    return ExitCode.GOOD.number();
  }
}
