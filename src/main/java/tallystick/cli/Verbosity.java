package tallystick.cli;

import picocli.CommandLine.Option;

/** How much a command prints. */
final class Verbosity {
  @Option(
      names = "--verbose",
      description = "print the whole account, not only its first screen")
  private boolean verbose;

  boolean isVerbose() {
    return verbose;
  }
}
