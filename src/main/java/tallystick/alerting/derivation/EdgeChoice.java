package tallystick.alerting.derivation;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import tallystick.alerting.RuleWords;

/**
 * The bucket edge that stands for an objective's threshold.
 *
 * @param seconds the edge
 * @param exact whether it is the threshold itself
 * @param agreement balanced accuracy on runs left out; NaN where none could be left out
 * @param measurable whether the threshold lies within the finite edges
 * @param sentence what a reader must know
 */
public record EdgeChoice(
    double seconds, boolean exact, double agreement, boolean measurable, String sentence) {

  /**
   * The edge for a threshold: itself, else the neighbour whose bad ratio agrees better with the
   * client's labels; the lower one where they agree equally, for an early warning.
   *
   * @param edges finite edges, ascending, at least one
   * @param agreement of the bad ratio at an edge with the labels
   */
  static EdgeChoice of(
      double threshold, List<Double> edges, ToDoubleFunction<Double> agreement) {
    if (edges.contains(threshold)) {
      double agrees = agreement.applyAsDouble(threshold);
      return new EdgeChoice(
          threshold,
          true,
          agrees,
          true,
          "the objective's %s s is a bucket edge; balanced accuracy against the client %s"
              .formatted(text(threshold), share(agrees)));
    }
    double first = edges.getFirst();
    double last = edges.getLast();
    if (threshold < first || threshold > last) {
      String where = threshold < first ? "in the first bucket" : "above the last finite one";
      return new EdgeChoice(
          threshold < first ? first : last,
          false,
          Double.NaN,
          false,
          "the objective's %s s lies %s: the edges go from %s to %s s, need one on each side of it"
              .formatted(text(threshold), where, text(first), text(last)));
    }
    double below =
        edges.stream().filter(e -> e < threshold).max(Double::compare).orElseThrow();
    double above =
        edges.stream().filter(e -> e > threshold).min(Double::compare).orElseThrow();
    double low = agreement.applyAsDouble(below);
    double high = agreement.applyAsDouble(above);
    boolean takesAbove = high > low || Double.isNaN(low) && !Double.isNaN(high);
    double edge = takesAbove ? above : below;
    double agrees = takesAbove ? high : low;
    return new EdgeChoice(
        edge,
        false,
        agrees,
        true,
        ("the objective's %s s is not a bucket edge; proxy edge %s s, balanced accuracy against"
            + " the client %s (%s s: %s)")
            .formatted(
                text(threshold),
                text(edge),
                share(agrees),
                text(takesAbove ? below : above),
                share(takesAbove ? low : high)));
  }

  private static String text(double seconds) {
    return RuleWords.number(seconds);
  }

  private static String share(double agreement) {
    return Double.isNaN(agreement) ? "unknown" : String.format(Locale.ROOT, "%.3f", agreement);
  }
}
