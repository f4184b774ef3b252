package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.alerting.FirstRules;
import tallystick.analysis.result.RunAnalysis;
import tallystick.cli.exit.Interruption;
import tallystick.cli.run.RunSetup;
import tallystick.cli.terminal.ProgressDisplay;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.TestBed;
import tallystick.plan.Plan;
import tallystick.report.Reports;
import tallystick.run.Run;
import tallystick.run.RunEnd;
import tallystick.run.RunOrders;

/**
 * Plays probes against servers; each is a run of its own, in a process of its own, between two
 * moments at which the servers are quiet.
 */
final class LiveTestBed implements TestBed {
  private static final double OVERHEAD_SECONDS = 30;

  private final LiveServers servers;
  private final Manner manner;
  private List<EngineSetting> settings = List.of();

  /**
   * How every run of a command is played.
   *
   * @param apiKey sent to the servers; empty sends none
   * @param quietTimeout how long to wait until they are idle
   * @param lap the time since the last run ended, whichever bench played it
   */
  record Manner(
      String apiKey, Duration quietTimeout, Interruption interruption, ProgressDisplay display,
      Lap lap) {}

  /** Takes the time from one run's end to the next one's. */
  static final class Lap {
    private static final double NANOS = 1e9;
    private long sinceNanos = System.nanoTime();

    /** What somebody thought about between two runs is time of the second. */
    double seconds() {
      long now = System.nanoTime();
      double seconds = (now - sinceNanos) / NANOS;
      sinceNanos = now;
      return seconds;
    }
  }

  LiveTestBed(LiveServers servers, Manner manner) {
    this.servers = servers;
    this.manner = manner;
  }

  @Override
  public OptionalDouble play(Plan plan, Path runFolder) throws IOException, InterruptedException {
    Optional<LiveServers.Standing> found = servers.start().up(plan, runFolder);
    if (found.isEmpty()) {
      return OptionalDouble.empty();
    }
    try (LiveServers.Standing up = found.get()) {
      settings = up.settings();
      RunEnd end = play(plan, runFolder, up);
      if (manner.interruption().isInterrupted()) {
        return OptionalDouble.empty();
      }
      up.engine().requireAlive();
      return elapsed(end);
    }
  }

  private RunEnd play(Plan plan, Path runFolder, LiveServers.Standing up)
      throws IOException, InterruptedException {
    RunSetup setup =
        RunSetup.of(plan, up.targets(), up.findings(), servers.isEmbedded(), false)
            .with(settings);
    Run run =
        new Run(
            setup.orders(
                runFolder, manner.quietTimeout(), RunOrders.Ports.NONE, manner.apiKey()));
    manner.interruption().onInterrupt(run::stop);
    up.engine().onEnd(run::stop);
    try {
      return run.execute(manner.display()::show);
    } finally {
      manner.display().close();
      manner.interruption().onInterrupt(() -> {});
      up.engine().onEnd(() -> {});
    }
  }

  private OptionalDouble elapsed(RunEnd end) throws IOException {
    return switch (end.kind()) {
      case COMPLETED, STOPPED -> OptionalDouble.of(manner.lap().seconds());
      case INTERRUPTED -> OptionalDouble.empty();
      case TARGET_BUSY ->
          throw new IOException("the target is not idle, somebody else uses it: " + end.detail());
      case LATE, REFUSED, DISK_FAILED -> throw new IOException(end.detail());
      case METRICS_LOST ->
          throw new IOException("the target's metrics cannot be read: " + end.detail());
      case CRASHED -> throw new IOException("the load ended in the middle: " + end.detail());
    };
  }

  @Override
  public String words() {
    return servers.words();
  }

  @Override
  public String fingerprint() {
    return servers.fingerprint();
  }

  @Override
  public List<EngineSetting> settings() {
    return settings;
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public void present(RunAnalysis analysis, Path runFolder) {
    try {
      Reports.writePage(analysis, FirstRules.section(analysis), runFolder);
    } catch (IOException | RuntimeException e) {
      // Hours of measuring must not be lost for a page, which can be written from the record.
      System.err.println(
          "No page of " + runFolder + ": " + e.getMessage() + "\nTo write it later: ./tally report "
              + runFolder);
    }
  }

  @Override
  public double overheadSeconds() {
    return OVERHEAD_SECONDS + servers.startSeconds().getAsDouble();
  }
}
