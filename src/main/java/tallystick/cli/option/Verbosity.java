package tallystick.cli.option;

import picocli.CommandLine.Option;

/** How much a command prints. */
public final class Verbosity {
  @Option(
      names = "--verbose",
      description = "print the whole account, not only its first screen")
  private boolean verbose;

  /** Whether the whole account is asked for. */
  public boolean isVerbose() {
    return verbose;
  }
}
