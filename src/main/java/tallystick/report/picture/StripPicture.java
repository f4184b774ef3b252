package tallystick.report.picture;

import java.util.Locale;
import tallystick.answer.Tone;
import tallystick.answer.chart.Strip;
import tallystick.report.markup.Markup;

/** Values as short strokes in two rows, good above bad, and the threshold through both. */
final class StripPicture {
  private static final int WIDE = 140; // units of the drawing
  private static final int HIGH = 20; // units of the drawing

  private StripPicture() {}

  static void draw(Markup html, Strip strip) {
    html.raw("<svg class=\"strip\" role=\"img\" aria-label=\"")
        .text(strip.words())
        .raw("\" viewBox=\"0 0 " + WIDE + " " + HIGH + "\">");
    for (Strip.Value value : strip.values()) {
      int row = value.tone() == Tone.BAD ? HIGH / 2 : 0;
      stroke(html, x(strip, value.at()), row + 1, row + HIGH / 2 - 1, css(value.tone()));
    }
    stroke(html, x(strip, strip.threshold()), 0, HIGH, "ink");
    html.raw("</svg>");
  }

  private static double x(Strip strip, double value) {
    return 1 + (WIDE - 2) * Math.min(1, value / strip.end());
  }

  private static String css(Tone tone) {
    return tone == Tone.GOOD || tone == Tone.BAD ? tone.name().toLowerCase(Locale.ROOT) : "line";
  }

  private static void stroke(Markup html, double x, int from, int to, String colour) {
    html.raw(
        String.format(
            Locale.ROOT, "<path d=\"M%.1f %dV%d\" stroke=\"var(--%s)\"/>", x, from, to, colour));
  }
}
