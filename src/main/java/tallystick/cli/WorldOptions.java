package tallystick.cli;

import picocli.CommandLine.Option;
import tallystick.virtualrun.VirtualWorld;

/** What surrounds the engine of a simulation, and what goes wrong there on demand. */
final class WorldOptions {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;

  @Option(
      names = "--network-us",
      paramLabel = "MICROSECONDS",
      defaultValue = "100",
      description = "way from client to server, and back (default: ${DEFAULT-VALUE})")
  private long networkMicros;

  @Option(
      names = "--network-jitter-us",
      paramLabel = "MICROSECONDS",
      defaultValue = "0",
      description = "mean of what a way takes longer, drawn for each request (${DEFAULT-VALUE})")
  private long jitterMicros;

  @Option(
      names = "--client-pause-at-ms",
      paramLabel = "MILLISECONDS",
      defaultValue = "0",
      description = "when the client stands still, from the engine's start on")
  private long pauseAtMillis;

  @Option(
      names = "--client-pause-for-ms",
      paramLabel = "MILLISECONDS",
      defaultValue = "0",
      description = "how long the client stands still (${DEFAULT-VALUE}: never)")
  private long pauseMillis;

  @Option(
      names = "--foreign-share",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "somebody else's requests beside the plan's, as a share (${DEFAULT-VALUE})")
  private double foreignShare;

  /**
   * The shape these options describe.
   *
   * @throws IllegalArgumentException if a value cannot be
   */
  VirtualWorld.Shape shape() {
    return new VirtualWorld.Shape(
        networkMicros * MICRO,
        jitterMicros * MICRO,
        pauseAtMillis * MILLI,
        pauseMillis * MILLI,
        foreignShare);
  }
}
