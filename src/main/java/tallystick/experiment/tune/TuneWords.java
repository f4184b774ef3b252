package tallystick.experiment.tune;

import java.util.Locale;

/** Shares as people write them. */
final class TuneWords {
  private TuneWords() {}

  /** {@code +14 %}. */
  static String signed(double share) {
    return String.format(Locale.ROOT, Math.abs(share) < 0.1 ? "%+.1f %%" : "%+.0f %%", 100 * share);
  }

  static String perRequest(double preemptions) {
    return String.format(Locale.ROOT, "%.2g", preemptions);
  }

  /** {@code 2 h 10} or {@code 14 min}. */
  static String time(double seconds) {
    long minutes = Math.round(Math.max(0, seconds) / 60);
    return minutes < 60
        ? minutes + " min"
        : String.format(Locale.ROOT, "%d h %02d", minutes / 60, minutes % 60);
  }
}
