package tallystick.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tallystick.plan.Plan;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.PlanJson;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Scenario;
import tallystick.scenario.Target;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.VirtualEngine;

/** Plays a scenario on the simulated engine in virtual time and reports it like any other run. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Play a scenario on the simulated engine in virtual time: an hour of load in seconds.",
      "Every figure is simulated; the record and the report say so."
    })
final class SimulateCommand implements Callable<Integer> {
  /** A simulation's beginning; fixed, so that equal seeds give equal records. */
  private static final Instant ORIGIN = Instant.parse("2026-01-01T00:00:00Z");

  @Spec private CommandSpec spec;

  @Mixin private ScenarioOptions scenarioOptions;

  @Option(
      names = "--network-us",
      paramLabel = "MICROSECONDS",
      defaultValue = "100",
      description = "way from client to server, and back (default: ${DEFAULT-VALUE})")
  private long networkMicros;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      defaultValue = "reports",
      description = "where run folders are made (default: ${DEFAULT-VALUE})")
  private Path out;

  @Option(names = "--no-report", description = "write the record only")
  private boolean noReport;

  @Mixin private EngineOptions engineOptions;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Scenario scenario = scenarioOptions.read(List.of());
    Plan plan = scenarioOptions.plan(scenario);
    EngineSettings settings = engineSettings(scenario);
    String nonce = HexFormat.of().toHexDigits(plan.settings().seed());
    Path folder =
        RunFolder.create(
            out, plan.settings().scenario() + "-virtual", nonce, Clock.systemUTC());
    PrintWriter console = spec.commandLine().getOut();
    console.println("Simulating in virtual time; recording to " + folder);
    console.flush();
    long begin = System.nanoTime();
    VirtualEngine engine = new VirtualEngine(settings, ORIGIN.getEpochSecond());
    VirtualTime time = record(plan, engine, RecordFiles.ofRun(folder));
    console.printf(
        "%.1f s of virtual time in %.1f s, %d engine steps%n",
        time.nanos() / 1e9, (System.nanoTime() - begin) / 1e9, engine.stepCount());
    if (noReport) {
      console.flush();
      return ExitCode.GOOD.number();
    }
    return new RunReport(folder, console).write(false).number();
  }

  private VirtualTime record(Plan plan, VirtualEngine engine, RecordFiles files)
      throws IOException, InterruptedException {
    Files.createDirectories(files.folder());
    try (OutputStream stream = Files.newOutputStream(files.plan())) {
      PlanJson.write(plan, stream);
    }
    VirtualTime time = new VirtualTime();
    RunClock clock = RunClock.virtual(ORIGIN.getEpochSecond() * 1_000_000_000L, time::nanos);
    RecordWriter writer =
        RecordWriter.open(files, manifest(plan, engine.settings(), files, clock), clock);
    new VirtualRun(plan, engine, writer, networkMicros * 1_000).play(time);
    writer.close(Manifest.Ending.State.COMPLETED, "");
    return time;
  }

  private Manifest manifest(
      Plan plan, EngineSettings settings, RecordFiles files, RunClock clock) {
    return new Manifest(
        Manifest.CURRENT_FORMAT,
        files.folder().getParent().getFileName().toString(),
        plan.settings().scenario(),
        Manifest.Source.VIRTUAL,
        plan.settings().seed(),
        "",
        settings.model(),
        List.of(Target.at("http://engine.invalid")),
        plan.settings().labels(),
        Map.of("tally", "0.1.0", "engine", EngineSettings.VERSION),
        Map.of(
            "client", "simulated: takes no time itself",
            "network_one_way_us", Long.toString(networkMicros),
            "step_time_profile", settings.profile().name()),
        new Manifest.Clock(clock.originUtcNanos(), 0, 0),
        Manifest.Ending.OPEN);
  }

  private EngineSettings engineSettings(Scenario scenario) {
    try {
      return engineOptions.settings(EngineFlags.of(scenario.engine()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "engine: " + e.getMessage(), e);
    }
  }
}
