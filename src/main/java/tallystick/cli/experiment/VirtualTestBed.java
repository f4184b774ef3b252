package tallystick.cli.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import tallystick.cli.option.EngineFlags;
import tallystick.cli.run.Versions;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.TestBed;
import tallystick.plan.Plan;
import tallystick.runrecord.RecordFiles;
import tallystick.simengine.EngineSettings;
import tallystick.virtualrun.VirtualRecord;
import tallystick.virtualrun.VirtualWorld;

/**
 * Plays probes on the simulated engine in virtual time; each meets a fresh engine whose noise is
 * its own.
 *
 * @param flags the engine's, by name
 * @param world what surrounds it
 * @param salt makes the noise of one of several engines its own
 * @param times how long its steps take, as a share of its profile's
 * @param targets of the scenario, in whose place it stands alone
 */
record VirtualTestBed(
    Map<String, String> flags, VirtualWorld.Shape world, long salt, double times, int targets)
    implements TestBed {
  private static final double NANOS = 1e9;
  private static final double OVERHEAD_SECONDS = 10;

  @Override
  public OptionalDouble play(Plan plan, Path runFolder) throws IOException, InterruptedException {
    EngineSettings engine =
        EngineFlags.settings(EngineFlags.seeded(flags, plan.settings().seed() ^ salt));
    VirtualRecord.Played played =
        new VirtualRecord(
                plan, engine.with(engine.profile().times(times)), world, Versions.tally())
            .write(RecordFiles.ofRun(runFolder));
    return OptionalDouble.of(played.nanos() / NANOS);
  }

  @Override
  public String words() {
    return targets > 1
        ? "one simulated engine in the place of " + targets + " targets, in virtual time"
        : "the simulated engine, in virtual time";
  }

  @Override
  public String fingerprint() {
    // A profile's file may hold other times tomorrow.
    String profile =
        flags.containsKey("profile") ? " " + EngineFlags.settings(flags).profile() : "";
    return "virtual " + new TreeMap<>(flags) + " " + world + profile
        + (times == 1 ? "" : " steps x " + times);
  }

  @Override
  public List<EngineSetting> settings() {
    return EngineFlags.declared(flags);
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public double overheadSeconds() {
    return OVERHEAD_SECONDS;
  }
}
