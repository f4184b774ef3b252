package tallystick.cli.option;

import picocli.CommandLine.Option;

/** For those who explore: what is not proven does not fail the command. */
public final class UnprovenOption {
  @Option(
      names = "--accept-unproven",
      description = "end with 0 where objectives are not proven and none is violated")
  private boolean isAccepted;

  /** Whether an objective need not be proven. */
  public boolean isAccepted() {
    return isAccepted;
  }
}
