package tallystick.cli.help;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.ShellCommand;

/** Prints what a shell needs to complete the command line, made from the commands themselves. */
@Command(
    name = "completion",
    description = "Print a script that completes commands and options in a shell.",
    footer = {
      "%nExamples:",
      "  source <(./tally completion bash)     in bash, for this shell",
      "  source <(./tally completion zsh)      in zsh"
    })
public final class CompletionCommand extends ShellCommand {
  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  private Shell shell;

  /** Shells whose script there is; zsh reads that of bash, which turns on what it needs. */
  enum Shell {
    bash,
    zsh
  }

  @Override
  public Integer call() {
    console().print(AutoComplete.bash("tally", spec().root().commandLine()));
    return ExitCode.GOOD.number();
  }
}
