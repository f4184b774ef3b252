package tallystick.analysis.change;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Change;
import tallystick.analysis.result.Contrast;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Interpretation.Direction;
import tallystick.analysis.result.Interpretation.Grown;
import tallystick.analysis.result.Interpretation.Signal;
import tallystick.analysis.result.Interpretation.SignalName;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Stamp;
import tallystick.scenario.Formatted;

/**
 * Reads a period against a reference: first what each part of the waits gained, then which
 * directions of docs/runbook.md the parts that grew are consistent with.
 */
public final class Interpreter {
  /**
   * The largest of many differences needs a wider interval: 95 % of what chance makes of the best
   * border between 5 and 95 % of a series lie within 3.14 standard errors, not 1.96 (Andrews,
   * 1993).
   */
  private static final double FOUND = 3.14 / 1.96;

  private final double margin;
  private final Period now;
  private final Period reference;
  private final WorkloadFactors circumstances;

  public Interpreter(PeriodPair pair) {
    this.now = pair.judged();
    this.reference = pair.reference();
    this.margin = pair.isFound() ? FOUND : 1;
    this.circumstances = new WorkloadFactors(now.sums(), reference.sums(), margin);
  }

  /** The interpretation. */
  public Interpretation interpret() {
    List<Change> changes =
        new ChangeWaterfall(now.sums(), reference.sums(), circumstances.isOtherwise(), margin)
            .all();
    List<Contrast> contrasts = circumstances.all();
    List<Direction> directions = new ArrayList<>();
    new CauseFinder(changes, circumstances)
        .find()
        .forEach((cause, parts) -> directions.add(direction(cause, parts, contrasts)));
    directions.sort((one, other) -> Double.compare(largest(other), largest(one)));
    return new Interpretation(
        true, "", reference.name(), now.name(), changes, contrasts, signals(), directions,
        Stamp.NONE);
  }

  private List<Signal> signals() {
    return List.of(
        SignalCheck.compare(SignalName.CLIENT_TTFT, now.clientTtft(), reference.clientTtft(), true),
        SignalCheck.compare(SignalName.CLIENT_ITL, now.clientGaps(), reference.clientGaps(), true),
        SignalCheck.compare(
            SignalName.ENGINE_TTFT, now.engineTtft(), reference.engineTtft(), false),
        SignalCheck.queue(now.queue(), reference.queue()),
        SignalCheck.compare(SignalName.ENGINE_ITL, now.engineItl(), reference.engineItl(), false));
  }

  private static double largest(Direction direction) {
    return direction.parts().get(0).share();
  }

  private Direction direction(Cause cause, List<Grown> parts, List<Contrast> contrasts) {
    List<String> evidence = new ArrayList<>();
    parts.forEach(part -> evidence.add(line(part)));
    contrasts.forEach(contrast -> evidence.addAll(line(cause, contrast)));
    return new Direction(
        cause.code, cause.text, parts, evidence, contrary(cause), cause.checks, cause.runbook);
  }

  private static List<String> contrary(Cause cause) {
    return cause == Cause.OUTSIDE
        ? List.of(
            "The engine's TTFT starts when its API server has read the request: a stalled API"
                + " server shows here too.")
        : List.of();
  }

  private static String line(Grown grown) {
    return Formatted.of(
        "%s: the part \"%s\" grew by %s, %.0f %% of the rise",
        grown.quantity(),
        grown.part().words(),
        gained(grown.rise()),
        100 * grown.share());
  }

  private static String gained(Interval rise) {
    double low = rise.low().orNaN();
    double value = rise.value().orNaN();
    boolean inSeconds = value >= 1;
    double scale = inSeconds ? 1 : 1e3;
    String unit = inSeconds ? "s" : "ms";
    String format = inSeconds ? "%.2f" : value >= 0.1 ? "%.0f" : "%.1f";
    String text = Formatted.of(format + " %s", value * scale, unit);
    return low > 0
        ? Formatted.of(
            "%s (95 %% interval " + format + " to " + format + " %s)", text,
            low * scale, rise.high().orNaN() * scale, unit)
        : text;
  }

  private static List<String> line(Cause cause, Contrast contrast) {
    return contrast.isChanged() && cause.told.contains(contrast.name())
        ? List.of(
            "%s: %s, in the reference %s"
                .formatted(
                    contrast.name().words(), contrast.text(contrast.judged()),
                    contrast.text(contrast.reference())))
        : List.of();
  }
}
