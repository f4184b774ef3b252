package tallystick.cli;

import java.util.Map;
import java.util.TreeMap;

/** Turns a scenario's {@code engine:} keys into the engine's flags. */
final class EngineFlags {
  private EngineFlags() {}

  /** {@code num_gpu_blocks_override} becomes {@code num-gpu-blocks-override}. */
  static Map<String, String> of(Map<String, String> keys) {
    Map<String, String> flags = new TreeMap<>();
    keys.forEach((key, value) -> flags.put(key.replace('_', '-'), value));
    return flags;
  }
}
