package tallystick.experiment.capacity;

import tallystick.experiment.RateFormat;
import tallystick.scenario.Formatted;

/** One line about a probe, while a search goes on. */
final class ProbeLine {
  private ProbeLine() {}

  /** What begins, and how long it takes. */
  static String begin(Probe probe) {
    return Formatted.of(
        "probe %d  %s  %s for %.0f s after %.0f s to settle", probe.number(),
        purpose(probe.purpose()),
        probe.users() > 0 ? probe.users() + " users" : RateFormat.text(probe.perSecond()) + "/s",
        probe.measuredSeconds(), probe.settleSeconds());
  }

  /** What it showed. */
  static String end(ProbeResult result) {
    if (result.isBurst() && Ceiling.isCounted(result)) {
      return "         completes " + RateFormat.text(result.load().completedPerSecond()) + "/s"
          + (result.isTrusted() ? "" : "; its latencies are not used, the client was late");
    }
    if (!result.isTrusted()) {
      return "         not used: " + result.doubt();
    }
    return Formatted.of(
        "         %,d of %,d good (%.2f %%)%s", result.good(), result.judged(),
        100 * result.goodShare(), result.load().overloaded() ? ", requests pile up" : "");
  }

  private static String purpose(Probe.Purpose purpose) {
    return switch (purpose) {
      case CEILING -> "ceiling ";
      case BRACKET -> "roughly ";
      case NARROW -> "closer  ";
      case CONFIRM -> "to prove";
    };
  }
}
