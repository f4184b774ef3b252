package tallystick.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import tallystick.experiment.Bench;
import tallystick.plan.Plan;
import tallystick.run.Preflight;
import tallystick.run.Run;
import tallystick.run.RunEnd;
import tallystick.scenario.Target;

/**
 * Plays probes against servers that are up; each is a run of its own, in a process of its own,
 * between two moments at which the servers are quiet.
 */
final class LiveBench implements Bench {
  private static final double NANOS = 1e9;
  private static final double OVERHEAD_SECONDS = 30;

  private final Servers servers;
  private final Interruption interruption;
  private final ProgressDisplay display;
  private long sinceNanos = System.nanoTime();

  /**
   * Where the load goes.
   *
   * @param isEmbedded whether they are the embedded engine
   * @param flags the embedded engine's, by name
   * @param apiKey sent to them; empty sends none
   * @param quietTimeout how long to wait until they are idle
   */
  record Servers(
      List<Target> targets,
      Preflight.Findings findings,
      boolean isEmbedded,
      Map<String, String> flags,
      String apiKey,
      Duration quietTimeout) {
    Servers {
      targets = List.copyOf(targets);
    }
  }

  LiveBench(Servers servers, Interruption interruption, ProgressDisplay display) {
    this.servers = servers;
    this.interruption = interruption;
    this.display = display;
  }

  @Override
  public OptionalDouble play(Plan plan, Path runFolder) throws IOException, InterruptedException {
    RunSetup setup =
        RunSetup.of(plan, servers.targets(), servers.findings(), servers.isEmbedded(), false);
    Run run = new Run(setup.orders(runFolder, servers.quietTimeout(), 0, servers.apiKey()));
    interruption.onInterrupt(run::stop);
    RunEnd end;
    try {
      end = run.execute(display::show);
    } finally {
      display.close();
      interruption.onInterrupt(() -> {});
    }
    return switch (end.kind()) {
      case COMPLETED, STOPPED ->
          interruption.isInterrupted()
              ? OptionalDouble.empty()
              : OptionalDouble.of(elapsedSeconds());
      case INTERRUPTED -> OptionalDouble.empty();
      case TARGET_BUSY ->
          throw new IOException("the target is not idle, somebody else uses it: " + end.detail());
      case LATE -> throw new IOException(end.detail());
      case METRICS_LOST ->
          throw new IOException("the target's metrics cannot be read: " + end.detail());
      case DISK_FAILED -> throw new IOException(end.detail());
      case CRASHED -> throw new IOException("the load ended in the middle: " + end.detail());
    };
  }

  /** What somebody thought about between two runs is time of the second. */
  private double elapsedSeconds() {
    long now = System.nanoTime();
    double seconds = (now - sinceNanos) / NANOS;
    sinceNanos = now;
    return seconds;
  }

  @Override
  public String words() {
    if (servers.isEmbedded()) {
      return "the embedded, simulated engine";
    }
    String engine = servers.findings().versions().getOrDefault("engine", "");
    String version = engine.isEmpty() ? "" : "vLLM " + engine + " at ";
    return version + String.join(", ", servers.targets().stream().map(Target::url).toList());
  }

  /** The embedded engine has another port each time. */
  @Override
  public String fingerprint() {
    return servers.isEmbedded()
        ? "embedded " + new TreeMap<>(servers.flags())
        : servers.targets() + " " + servers.findings().versions() + servers.findings().model();
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public double overheadSeconds() {
    return OVERHEAD_SECONDS;
  }
}
