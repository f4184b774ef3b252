package tallystick.experiment.tune;

import java.util.Locale;

/** Shares as people write them. */
final class TuneWords {
  private TuneWords() {}

  /** {@code +14 %}. */
  static String signed(double share) {
    String format = Math.abs(share) < 0.1 ? "%+.1f %%" : "%+,.0f %%";
    return String.format(Locale.ROOT, format, 100 * share);
  }

  static String perRequest(double preemptions) {
    return String.format(Locale.ROOT, "%.2g", preemptions);
  }
}
