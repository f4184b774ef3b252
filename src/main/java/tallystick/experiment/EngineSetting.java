package tallystick.experiment;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Locale;

/**
 * A setting that an engine was asked for, and what it runs with.
 *
 * @param name as vLLM writes it in a metric: {@code max_num_seqs}
 * @param asked what it was started with
 * @param runs what it says itself; the same as asked where it says nothing
 * @param source where it says so
 */
public record EngineSetting(String name, String asked, String runs, Source source) {

  /** Who says what an engine runs with. */
  public enum Source {
    /** The engine's metrics. */
    METRICS,
    /** What the engine printed when it started. */
    LOG,
    /** Nobody but who asked. */
    DECLARED
  }

  /** A setting that nobody reads back. */
  public static EngineSetting declared(String name, String asked) {
    return new EngineSetting(name.replace('-', '_'), asked, asked, Source.DECLARED);
  }

  /** Whether the engine runs with something else than it was asked for. */
  @JsonIgnore
  public boolean isOther() {
    return !isSame(asked, runs);
  }

  private static boolean isSame(String asked, String runs) {
    try {
      return Double.parseDouble(asked) == Double.parseDouble(runs);
    } catch (NumberFormatException e) {
      String one = asked.toLowerCase(Locale.ROOT);
      String other = runs.toLowerCase(Locale.ROOT);
      // torch.bfloat16 is bfloat16.
      return other.equals(one) || other.endsWith("." + one);
    }
  }

  /** What it runs with, in words: {@code 32 (asked 64)}, {@code 64 (declared)}. */
  public String words() {
    if (isOther()) {
      return runs + " (asked " + asked + ")";
    }
    return source == Source.DECLARED ? asked + " (declared)" : runs;
  }
}
