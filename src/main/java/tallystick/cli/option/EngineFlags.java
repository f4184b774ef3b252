package tallystick.cli.option;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tallystick.experiment.EngineSetting;
import tallystick.scenario.NearestKey;
import tallystick.simengine.EngineFlag;
import tallystick.simengine.EngineSettings;

/** Turns a scenario's {@code engine:} keys into the engine's flags. */
public final class EngineFlags {
  private EngineFlags() {}

  /**
   * The engine that flags describe, its metrics named as in the release they ask for.
   *
   * @throws IllegalArgumentException if a flag is unknown or its value cannot be
   */
  public static EngineSettings settings(Map<String, String> flags) {
    flags.keySet().forEach(EngineFlags::checkSpelling);
    return ReleaseNames.on(EngineSettings.ofFlags(flags));
  }

  private static void checkSpelling(String flag) {
    boolean hasDashes = flag.contains("-");
    List<String> known =
        EngineFlag.all().stream()
            .map(one -> hasDashes ? one.name() : one.name().replace('-', '_'))
            .toList();
    if (!known.contains(flag)) {
      NearestKey.nearest(flag, known)
          .ifPresent(
              near -> {
                throw new IllegalArgumentException(
                    "unknown engine flag " + flag + ": did you mean \"" + near + "\"?");
              });
    }
  }

  /** The flags with noise of their own, where they do not name a seed. */
  public static Map<String, String> seeded(Map<String, String> flags, long seed) {
    Map<String, String> seeded = new TreeMap<>(flags);
    seeded.putIfAbsent("seed", Long.toString(seed));
    return seeded;
  }

  /** What a simulated engine is asked for, it runs with; its flags are its word. */
  public static List<EngineSetting> declared(Map<String, String> flags) {
    return flags.entrySet().stream()
        .map(flag -> EngineSetting.declared(flag.getKey(), flag.getValue()))
        .toList();
  }

  /** {@code num_gpu_blocks_override} becomes {@code num-gpu-blocks-override}. */
  public static Map<String, String> of(Map<String, String> keys) {
    Map<String, String> flags = new TreeMap<>();
    keys.forEach((key, value) -> flags.put(key.replace('_', '-'), value));
    return flags;
  }
}
