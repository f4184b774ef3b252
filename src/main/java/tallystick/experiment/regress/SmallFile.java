package tallystick.experiment.regress;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import tallystick.experiment.Journal;

/** A file that outlives its experiment: a baseline, or an installation's noise. */
public final class SmallFile {
  private SmallFile() {}

  /**
   * A baseline's text.
   *
   * @throws IllegalArgumentException if it is none, or a newer one
   */
  public static Baseline baseline(String name, String text) {
    Baseline read = read(name, text, Baseline.class);
    require(name, read.formatVersion(), Baseline.FORMAT);
    if (read.runs() == null || read.runs().isEmpty()) {
      throw new IllegalArgumentException(name + " holds no run: it is no baseline");
    }
    return read;
  }

  /**
   * A noise file's text.
   *
   * @throws IllegalArgumentException if it is none, or a newer one
   */
  public static Noise noise(String name, String text) {
    Noise read = read(name, text, Noise.class);
    require(name, read.formatVersion(), Noise.FORMAT);
    if (read.spread() == null || read.likeness() == null) {
      throw new IllegalArgumentException(name + " tells no noise: measure it with --calibrate");
    }
    return read;
  }

  private static <T> T read(String name, String text, Class<T> type) {
    try {
      return Journal.MAPPER.readValue(text.getBytes(StandardCharsets.UTF_8), type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          name + " cannot be read: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException(name + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static void require(String name, int version, int known) {
    if (version < 1 || version > known) {
      throw new IllegalArgumentException(
          name + " has format version " + version + ", this build reads up to " + known);
    }
  }
}
