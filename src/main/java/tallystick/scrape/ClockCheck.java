package tallystick.scrape;

import java.util.List;
import tallystick.scenario.Formatted;

/** How far the server's wall clock is from the client's, from the {@code Date} headers. */
final class ClockCheck {
  /** A whole second of resolution, and servers may renew the header only once a second. */
  private static final double DATE_WIDTH_SECONDS = 2;

  private static final double TOLERATED_SECONDS = 1; // an HTTP date has whole seconds

  private ClockCheck() {}

  /** Offset = server - client; each scrape bounds it, all of them together narrow it. */
  static Remark remark(List<Observation> observations) {
    double low = Double.NEGATIVE_INFINITY;
    double high = Double.POSITIVE_INFINITY;
    for (Observation observation : observations) {
      double date = observation.dateUtcSeconds();
      if (!Double.isNaN(date)) {
        low = Math.max(low, date - observation.endedUtcSeconds());
        high = Math.min(high, date + DATE_WIDTH_SECONDS - observation.startedUtcSeconds());
      }
    }
    if (Double.isInfinite(low)) {
      return Remark.note("clock", "the server sends no Date, so its clock is unknown");
    }
    String bounds = Formatted.of("the server's is between %+.2f and %+.2f s of ours", low, high);
    if (low > high) {
      return Remark.warning("clock", "a clock was set meanwhile, or several servers answer");
    }
    boolean isNear = low <= TOLERATED_SECONDS && high >= -TOLERATED_SECONDS;
    return new Remark(isNear ? Remark.Level.GOOD : Remark.Level.WARNING, "clock", bounds);
  }
}
