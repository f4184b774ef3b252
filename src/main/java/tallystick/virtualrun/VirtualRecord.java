package tallystick.virtualrun;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import tallystick.plan.Plan;
import tallystick.plan.Settings;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.PlanJson;
import tallystick.runrecord.PromptForm;
import tallystick.runrecord.RecordFiles;
import tallystick.runrecord.RecordWriter;
import tallystick.runrecord.RunClock;
import tallystick.scenario.Target;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.VirtualEngine;

/**
 * A run record to be filled in virtual time. Equal arguments give equal records.
 *
 * @param plan what is asked
 * @param engine what answers
 * @param world what surrounds it
 * @param tallyVersion stands in the manifest
 */
public record VirtualRecord(
    Plan plan, EngineSettings engine, VirtualWorld.Shape world, String tallyVersion) {
  /** A simulation's beginning; fixed, so that equal seeds give equal records. */
  private static final Instant ORIGIN = Instant.parse("2026-01-01T00:00:00Z");

  /**
   * What was played.
   *
   * @param nanos virtual time that went by
   * @param engineSteps steps the engine took
   */
  public record Played(long nanos, long engineSteps) {}

  /**
   * Plays the plan to its end and closes the record.
   *
   * @throws IOException if the record cannot be written
   */
  public Played write(RecordFiles files) throws IOException, InterruptedException {
    return write(files, new VirtualWorld(world, plan.settings().seed()));
  }

  /** The same in a world of its own. */
  Played write(RecordFiles files, VirtualWorld around) throws IOException, InterruptedException {
    Files.createDirectories(files.folder());
    PlanJson.write(plan, files.plan());
    VirtualEngine playing = new VirtualEngine(engine, ORIGIN.getEpochSecond());
    AtomicLong time = new AtomicLong();
    RunClock clock = RunClock.virtual(ORIGIN.getEpochSecond() * 1_000_000_000L, time::get);
    RecordWriter writer = RecordWriter.open(files, manifest(files, clock), clock);
    new VirtualRun(plan, playing, writer, around).play(time);
    writer.close(Manifest.Ending.State.COMPLETED, "");
    return new Played(time.get(), playing.stepCount());
  }

  private Manifest manifest(RecordFiles files, RunClock clock) {
    Settings settings = plan.settings();
    Map<String, String> host = new HashMap<>(world.words());
    host.put("step_time_profile", engine.profile().name());
    return new Manifest(
        Manifest.CURRENT_FORMAT,
        files.folder().getParent().getFileName().toString(),
        settings.scenario(),
        Manifest.Source.VIRTUAL,
        settings.seed(),
        "",
        engine.model(),
        List.of(Target.at("http://engine.invalid")),
        settings.labels(),
        Map.of("tally", tallyVersion, "engine", engine.version()),
        host,
        new Manifest.Clock(clock.originUtcNanos(), 0, 0),
        Manifest.Ending.OPEN,
        PromptForm.UNKNOWN);
  }
}
