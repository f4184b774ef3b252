package tallystick.report.picture;

import tallystick.report.markup.Markup;

/** A label below a picture's axis. */
final class AxisLabel {
  private static final double END = 0.85; // labels beyond are set left

  private AxisLabel() {}

  /**
   * Writes a label in the middle of its place; at the end of the axis it stays inside, or the page
   * would scroll sideways on a phone.
   *
   * @param position from 0 to 1
   */
  static void put(Markup html, double position, String text) {
    html.raw(position > END ? "<span class=\"end\"" : "<span")
        .raw(" style=\"left:" + Scale.css(100 * position) + "%\">")
        .text(text)
        .raw("</span>");
  }
}
