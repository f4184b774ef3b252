package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.WaitPart;
import tallystick.scenario.Formatted;

/** Says when a real share of TTFT passes outside the engine, and how long it is. */
final class OutsideFindings {
  /** A quarter of what users waited: worth a look before the engine is. */
  private static final double REAL_SHARE = 0.25;

  /** Less is a network's round trip within a region. */
  private static final double REAL_SECONDS = 0.01;

  /** Where no interval is known, the mean of this run alone must speak so clearly. */
  private static final double CLEAR_SHARE = 0.5;

  private OutsideFindings() {}

  /**
   * The finding, if there is one.
   *
   * @param clientIsSpoiled whether the client's own delay is inside its figures
   */
  static List<Finding> of(
      List<Decomposition> decompositions, List<Comparison> comparisons, boolean clientIsSpoiled) {
    List<Finding> findings = new ArrayList<>();
    for (Decomposition one : decompositions) {
      if (one.available() && one.quantity() == Decomposition.Whole.TTFT && !clientIsSpoiled) {
        one.parts().stream()
            .filter(part -> part.name() == WaitPart.OUTSIDE)
            .filter(part -> isReal(part, one))
            .forEach(part -> findings.add(finding(part, one, comparisons)));
      }
    }
    return findings;
  }

  private static boolean isReal(Decomposition.Part part, Decomposition of) {
    double mean = part.mean().value().orNaN();
    double share = mean / of.whole().value().orNaN();
    return part.mean().low() instanceof Figure.Known low
        ? low.value() >= REAL_SECONDS && share >= REAL_SHARE
        : mean >= REAL_SECONDS && share >= CLEAR_SHARE;
  }

  private static Finding finding(
      Decomposition.Part part, Decomposition of, List<Comparison> comparisons) {
    double outside = part.mean().value().orNaN();
    double whole = of.whole().value().orNaN();
    List<String> evidence = new ArrayList<>();
    evidence.add(
        part.mean().low() instanceof Figure.Known low
            ? Formatted.of(
                "95 %% interval of the mean %.1f to %.1f ms",
                low.value() * 1e3, part.mean().high().orNaN() * 1e3)
            : "the mean of this run alone: it has no interval");
    for (Comparison comparison : comparisons) {
      Interval constant = comparison.gap().constantGap();
      if (comparison.quantity() == Latency.TTFT
          && constant.low() instanceof Figure.Known low
          && constant.high() instanceof Figure.Known high) {
        evidence.add(Formatted.of(
            "a constant delay of %.1f to %.1f ms explains every bucket",
            low.value() * 1e3, high.value() * 1e3));
      }
    }
    return new Finding(Code.TIME_OUTSIDE_ENGINE,
        Formatted.of(
            "%.1f ms of the mean TTFT of %.1f ms (%.0f %%) passed outside the engine: on the"
                + " network, in a proxy or gateway, or in the server's HTTP side.",
            outside * 1e3, whole * 1e3, 100 * outside / whole),
        evidence, "Measure once from a machine beside the engine, without the proxy, and compare.");
  }
}
