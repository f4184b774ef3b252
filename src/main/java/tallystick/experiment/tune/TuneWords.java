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
}
