package tallystick.experiment.regress;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tallystick.experiment.TestBed;
import tallystick.plan.Plan;
import tallystick.runrecord.RecordFiles;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.StepTimeProfile;
import tallystick.virtualrun.VirtualRecord;
import tallystick.virtualrun.VirtualWorld;

/**
 * A machine in virtual time that two engines share: it slows by the hour, every second run finds a
 * warm cache, and every run meets noise of its own.
 */
final class DriftingWorld {
  private static final double HOUR = 3600e9;
  private static final double WARM = 0.5;
  private static final long PAUSE_AT_NANOS = 3_000_000_000L;
  private static final long PAUSE_NANOS = 4_000_000_000L;

  private final double driftPerHour;
  private final boolean hasWarmRuns;
  private long seed;
  private double nanos;
  private int runs;
  private final List<Integer> lateRuns;
  private double slowFourth;

  DriftingWorld(double driftPerHour, boolean hasWarmRuns, long seed) {
    this(driftPerHour, hasWarmRuns, seed, List.of());
  }

  /** In some runs, counted from 1, the client stands still for a while. */
  DriftingWorld(double driftPerHour, boolean hasWarmRuns, long seed, List<Integer> lateRuns) {
    this.lateRuns = lateRuns;
    this.driftPerHour = driftPerHour;
    this.hasWarmRuns = hasWarmRuns;
    this.seed = seed;
  }

  /** The same machine, slower by that share in every fourth run. */
  DriftingWorld slowInEveryFourthRun(double share) {
    slowFourth = share;
    return this;
  }

  /** An engine on this machine whose steps take so many times as long. */
  TestBed engine(double slowness, Map<String, String> flags) {
    return new TestBed() {
      @Override
      public OptionalDouble play(Plan plan, Path folder) throws IOException, InterruptedException {
        seed++;
        EngineSettings plain = EngineSettings.ofFlags(flags);
        double fourth = runs % 4 == 3 ? 1 + slowFourth : 1;
        double slow = slowness * fourth * (1 + driftPerHour * nanos / HOUR);
        boolean isWarm = hasWarmRuns && runs % 2 == 1;
        runs++;
        EngineSettings engine =
            seeded(plain.with(times(plain.profile(), slow, isWarm ? WARM : 1)));
        VirtualRecord.Played played =
            new VirtualRecord(plan, engine, client(), "test")
                .write(RecordFiles.ofRun(folder));
        nanos += played.nanos();
        return OptionalDouble.of(played.nanos() / 1e9);
      }

      @Override
      public String words() {
        return "an engine in virtual time";
      }

      @Override
      public String fingerprint() {
        return slowness + " " + flags;
      }

      @Override
      public boolean isRepeatable() {
        return true;
      }

      @Override
      public double overheadSeconds() {
        return 10;
      }
    };
  }

  private VirtualWorld.Shape client() {
    return new VirtualWorld.Shape(
        100_000, 0, PAUSE_AT_NANOS, lateRuns.contains(runs) ? PAUSE_NANOS : 0, 0);
  }

  private EngineSettings seeded(EngineSettings of) {
    return new EngineSettings(
        of.model(), of.scheduler(), of.profile(), of.serving(), of.faults(), seed,
        of.dataParallelSize(), of.endTokenShare(), of.release());
  }

  private static StepTimeProfile times(StepTimeProfile of, double slow, double prefill) {
    return new StepTimeProfile(
        of.name(), slow * of.baseNanos(), slow * prefill * of.prefillTokenNanos(),
        slow * prefill * of.prefillPairNanos(), slow * of.decodeSequenceNanos(),
        slow * of.kvTokenNanos(), of.apiServer(), of.wakeNanos(),
        of.noise());
  }
}
