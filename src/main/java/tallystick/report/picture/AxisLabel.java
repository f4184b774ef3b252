package tallystick.report.picture;

import tallystick.answer.words.LatencyUnit;
import tallystick.report.markup.Markup;

/** The labels below a picture's axis. */
final class AxisLabel {
  private static final double END = 0.85; // labels beyond are set left

  private AxisLabel() {}

  /**
   * Writes each label in the middle of its place; at the end of the axis it stays inside, or the
   * page would scroll sideways on a phone.
   *
   * @param share of the axis that a label takes; one that finds no room is left out
   */
  static void latencies(Markup html, Scale scale, double share) {
    double free = 0;
    for (double tick : scale.ticks()) {
      if (scale.position(tick) >= free) {
        free = scale.position(tick) + share;
        html.raw(scale.position(tick) > END ? "<span class=\"end\"" : "<span")
            .raw(" style=\"" + scale.left(tick) + "\">")
            .text(LatencyUnit.tick(tick))
            .raw("</span>");
      }
    }
  }
}
