package tallystick.cli.option;

import picocli.CommandLine.Option;
import tallystick.virtualrun.VirtualWorld;

/** What surrounds the engine of a simulation, and what goes wrong there on demand. */
public final class WorldOptions {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;

  @Option(
      names = "--network-us",
      paramLabel = "MICROSECONDS",
      defaultValue = "100",
      description = "time from client to server, and back again (default: ${DEFAULT-VALUE})")
  private long networkMicros;

  @Option(
      names = "--network-jitter-us",
      paramLabel = "MICROSECONDS",
      defaultValue = "0",
      description = "mean extra time on the network, drawn for each request (${DEFAULT-VALUE})")
  private long jitterMicros;

  @Option(
      names = "--client-pause-at-ms",
      paramLabel = "MILLISECONDS",
      defaultValue = "0",
      description = "when the client pauses, counted from the engine's start")
  private long pauseAtMillis;

  @Option(
      names = "--client-pause-for-ms",
      paramLabel = "MILLISECONDS",
      defaultValue = "0",
      description = "how long the client pauses (${DEFAULT-VALUE}: never)")
  private long pauseMillis;

  @Option(
      names = "--foreign-share",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "requests of another client, as a share of the plan's (${DEFAULT-VALUE})")
  private double foreignShare;

  /**
   * The shape these options describe.
   *
   * @throws IllegalArgumentException if a value cannot be
   */
  public VirtualWorld.Shape shape() {
    return new VirtualWorld.Shape(
        networkMicros * MICRO,
        jitterMicros * MICRO,
        pauseAtMillis * MILLI,
        pauseMillis * MILLI,
        foreignShare);
  }
}
