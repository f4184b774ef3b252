package tallystick.experiment.tune;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SplittableRandom;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.EngineProvider;
import tallystick.experiment.TestBed;
import tallystick.plan.Plan;
import tallystick.runrecord.RecordFiles;
import tallystick.simengine.EngineSettings;
import tallystick.virtualrun.VirtualRecord;
import tallystick.virtualrun.VirtualWorld;

/**
 * Simulated engines in virtual time, each run with noise of its own.
 *
 * @param flags of all of them
 * @param isNull whether settings change nothing
 * @param noise how much a whole run is slower or faster than the others, as a logarithm
 * @param dead a value with which an engine does not start
 * @param times how long a step takes, as a share of the profile's
 */
record PlantedWorld(
    Map<String, String> flags, boolean isNull, double noise, String dead, double times)
    implements EngineProvider {

  PlantedWorld(Map<String, String> flags, boolean isNull, double noise, String dead) {
    this(flags, isNull, noise, dead, 1);
  }

  /** The same without noise, its steps so many times as long. */
  PlantedWorld with(double slower) {
    return new PlantedWorld(flags, isNull, 0, dead, slower);
  }

  @Override
  public TestBed with(Map<String, String> settings, long salt) {
    Map<String, String> all = new HashMap<>(flags);
    if (isNull) {
      EngineSettings.ofFlags(settings);
    } else {
      settings.forEach((name, value) -> all.put(name.replace('_', '-'), value));
    }
    EngineSettings.ofFlags(all);
    return new Virtual(all, salt, noise, settings.containsValue(dead), times);
  }

  private record Virtual(
      Map<String, String> flags, long salt, double noise, boolean isDead, double times)
      implements TestBed {
    @Override
    public OptionalDouble play(Plan plan, Path folder) throws IOException, InterruptedException {
      if (isDead) {
        throw new EngineFailure(EngineFailure.Moment.START, "out of memory");
      }
      long own = new SplittableRandom(plan.settings().seed() ^ salt).nextLong() >>> 1;
      Map<String, String> seeded = new HashMap<>(flags);
      seeded.put("seed", Long.toString(own));
      EngineSettings engine = EngineSettings.ofFlags(seeded);
      double slow = times * Math.exp(noise * new Random(own).nextGaussian());
      VirtualRecord.Played played =
          new VirtualRecord(
                  plan, engine.with(engine.profile().times(slow)),
                  new VirtualWorld.Shape(100_000, 0, 0, 0, 0), "test")
              .write(RecordFiles.ofRun(folder));
      return OptionalDouble.of(played.nanos() / 1e9);
    }

    @Override
    public String words() {
      return "the simulated engine, in virtual time";
    }

    @Override
    public String fingerprint() {
      return flags.toString();
    }

    @Override
    public boolean isRepeatable() {
      return true;
    }

    @Override
    public double overheadSeconds() {
      return 10;
    }
  }
}
