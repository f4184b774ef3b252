package tallystick.runrecord;

import tallystick.scenario.Formatted;

/**
 * Between which bounds the target's wall clock is ahead of this machine's, seconds; from the {@code
 * Date} headers of its answers.
 *
 * @param lowSeconds at least so much; NaN where nothing is known
 * @param highSeconds at most so much, if the server renews the header each second; NaN where
 *     nothing is known
 * @param dates how many headers tell it
 */
public record ClockBracket(double lowSeconds, double highSeconds, int dates) {
  /** A target that does not tell its time, or whose dates contradict each other. */
  public static final ClockBracket UNKNOWN = new ClockBracket(Double.NaN, Double.NaN, 0);

  /** Whether the bounds say anything. */
  public boolean tells() {
    return lowSeconds <= highSeconds;
  }

  /** How far another machine's clock is ahead of this one's, both beside the same target. */
  public ClockBracket of(ClockBracket other) {
    return new ClockBracket(
        lowSeconds - other.highSeconds, highSeconds - other.lowSeconds,
        Math.min(dates, other.dates));
  }

  /** The least distance that the bounds leave; 0 where they hold 0 or nothing is known. */
  public double leastSeconds() {
    return tells() ? Math.max(0, Math.max(lowSeconds, -highSeconds)) : 0;
  }

  /** For a reader. */
  public String words() {
    return tells() ? Formatted.of("%+.3f to %+.3f s", lowSeconds, highSeconds) : "n/a";
  }
}
