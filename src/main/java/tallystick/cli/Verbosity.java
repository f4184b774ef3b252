package tallystick.cli;

import picocli.CommandLine.Option;

/** How much a command prints of a run; its files always hold everything. */
final class Verbosity {
  @Option(
      names = "--verbose",
      description = "print the whole account of the run, not only its first screen")
  private boolean verbose;

  boolean isVerbose() {
    return verbose;
  }
}
