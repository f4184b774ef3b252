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
  private static final String UNITS = "kKmMgGtT";

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
    String one = asked.toLowerCase(Locale.ROOT);
    String other = runs.toLowerCase(Locale.ROOT);
    // torch.bfloat16 is bfloat16.
    return other.equals(one) || other.endsWith("." + one) || number(asked) == number(runs);
  }

  /** As vLLM reads it: 2k is 2000, 2K is 2048; what is not a number equals none. */
  private static double number(String text) {
    int unit = text.isEmpty() ? -1 : UNITS.indexOf(text.charAt(text.length() - 1));
    String digits = unit < 0 ? text : text.substring(0, text.length() - 1);
    try {
      double step = unit % 2 == 0 ? 1e3 : 1 << 10;
      return Double.parseDouble(digits) * (unit < 0 ? 1 : Math.pow(step, unit / 2 + 1));
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** What it runs with, in words: {@code 32 (asked 64)}, {@code 64 (declared)}. */
  public String words() {
    if (isOther()) {
      return runs + " (asked " + asked + ")";
    }
    return source == Source.DECLARED ? asked + " (declared)" : runs;
  }

  /** That it runs with something else: {@code asked max_num_seqs=64, runs 32 (its log)}. */
  public String difference() {
    String where =
        switch (source) {
          case METRICS -> "its metrics";
          case LOG -> "its log";
          case DECLARED -> "as it was started";
        };
    return "asked for " + name + " " + asked + " but ran with " + runs + " (" + where + ")";
  }
}
