package tallystick.experiment;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** One line about a probe, while a search goes on. */
final class ProbeLine {
  private ProbeLine() {}

  /** What begins, how long it takes, and how much time is left. */
  static String begin(Probe probe, List<ProbeResult> done, OptionalDouble budgetSeconds) {
    double elapsed = done.stream().mapToDouble(ProbeResult::elapsedSeconds).sum();
    String left =
        budgetSeconds.isPresent()
            ? minutes(budgetSeconds.getAsDouble() - elapsed) + " min of "
                + minutes(budgetSeconds.getAsDouble()) + " left"
            : minutes(elapsed) + " min so far";
    return String.format(
        Locale.ROOT, "probe %d  %s  %s/s for %.0f s   %s", probe.number(),
        purpose(probe.purpose()), Rates.text(probe.perSecond()), probe.loadSeconds(), left);
  }

  /** What it showed. */
  static String end(ProbeResult result) {
    if (!result.isTrusted()) {
      return "         not used: " + result.doubt();
    }
    return String.format(
        Locale.ROOT, "         %,d of %,d good (%.2f %%)%s", result.good(), result.judged(),
        100 * result.goodShare(), result.load().overloaded() ? ", requests pile up" : "");
  }

  private static String purpose(Probe.Purpose purpose) {
    return switch (purpose) {
      case BRACKET -> "roughly ";
      case NARROW -> "closer  ";
      case CONFIRM -> "to prove";
    };
  }

  static String minutes(double seconds) {
    return String.format(Locale.ROOT, "%.0f", Math.max(0, seconds) / 60);
  }
}
