package tallystick.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
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
import tallystick.runrecord.PromptForm;
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

  @Mixin private WorldOptions worldOptions;

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
    VirtualWorld.Shape world = world();
    String nonce = HexFormat.of().toHexDigits(plan.settings().seed());
    Path folder =
        RunFolder.create(
            out, plan.settings().scenario() + "-virtual", nonce, Clock.systemUTC());
    PrintWriter console = spec.commandLine().getOut();
    console.println("Simulating in virtual time; recording to " + folder);
    console.flush();
    long begin = System.nanoTime();
    VirtualEngine engine = new VirtualEngine(settings, ORIGIN.getEpochSecond());
    VirtualTime time = record(new Simulated(plan, engine, world, RecordFiles.ofRun(folder)));
    console.printf(
        "%.1f s of virtual time in %.1f s, %d engine steps%n",
        time.nanos() / 1e9, (System.nanoTime() - begin) / 1e9, engine.stepCount());
    if (noReport) {
      console.flush();
      return ExitCode.GOOD.number();
    }
    return new RunReport(folder, console).write(false).number();
  }

  /** What is played, and where it is recorded. */
  private record Simulated(
      Plan plan, VirtualEngine engine, VirtualWorld.Shape world, RecordFiles files) {}

  private static VirtualTime record(Simulated run) throws IOException, InterruptedException {
    Files.createDirectories(run.files().folder());
    try (OutputStream stream = Files.newOutputStream(run.files().plan())) {
      PlanJson.write(run.plan(), stream);
    }
    VirtualTime time = new VirtualTime();
    RunClock clock = RunClock.virtual(ORIGIN.getEpochSecond() * 1_000_000_000L, time::nanos);
    RecordWriter writer = RecordWriter.open(run.files(), manifest(run, clock), clock);
    VirtualWorld world = new VirtualWorld(run.world(), run.plan().settings().seed());
    new VirtualRun(run.plan(), run.engine(), writer, world).play(time);
    writer.close(Manifest.Ending.State.COMPLETED, "");
    return time;
  }

  private static Manifest manifest(Simulated run, RunClock clock) {
    Map<String, String> host = new HashMap<>(run.world().words());
    host.put("step_time_profile", run.engine().settings().profile().name());
    return new Manifest(
        Manifest.CURRENT_FORMAT,
        run.files().folder().getParent().getFileName().toString(),
        run.plan().settings().scenario(),
        Manifest.Source.VIRTUAL,
        run.plan().settings().seed(),
        "",
        run.engine().settings().model(),
        List.of(Target.at("http://engine.invalid")),
        run.plan().settings().labels(),
        Map.of("tally", Versions.tally(), "engine", run.engine().settings().version()),
        host,
        new Manifest.Clock(clock.originUtcNanos(), 0, 0),
        Manifest.Ending.OPEN,
        PromptForm.UNKNOWN);
  }

  private VirtualWorld.Shape world() {
    try {
      return worldOptions.shape();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private EngineSettings engineSettings(Scenario scenario) {
    try {
      return engineOptions.settings(EngineFlags.of(scenario.engine()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "engine: " + e.getMessage(), e);
    }
  }
}
