package tallystick.report.picture;

import java.util.List;
import java.util.Locale;
import tallystick.report.document.Markup;
import tallystick.report.document.Tone;

/** Effects with their intervals, one below the other, on one axis with zero and each margin. */
public final class ForestPlot {
  private static final double ROOM = 0.06;

  private ForestPlot() {}

  /**
   * One effect.
   *
   * @param value where the point stands, between {@code low} and {@code high}
   * @param margin what is allowed
   * @param tone of its verdict
   * @param text the same in words
   */
  public record Effect(
      String name, double low, double value, double high, double margin, Tone tone, String text) {
    private boolean isKnown() {
      return Double.isFinite(low) && Double.isFinite(value) && Double.isFinite(high);
    }
  }

  /** Draws them; an effect that is not known has only its words. */
  public static void draw(Markup html, List<Effect> effects) {
    double low = 0;
    double high = 0;
    for (Effect one : effects) {
      if (one.isKnown()) {
        low = Math.min(low, one.low());
        high = Math.max(high, Math.max(one.high(), one.margin()));
      }
    }
    double room = high > low ? ROOM * (high - low) : 1;
    Scale scale = Scale.exactly(low - room, high + room, 4);
    html.open("div", "waterfall forest");
    effects.forEach(one -> row(html, one, scale));
    html.close("div");
  }

  private static void row(Markup html, Effect one, Scale scale) {
    html.raw("<div class=\"row " + one.tone().name().toLowerCase(Locale.ROOT) + "\">")
        .element("span", "level", one.name())
        .raw("<span class=\"track\">");
    if (one.isKnown()) {
      html.raw("<b class=\"zero\" style=\"left:" + at(scale, 0) + "%\"></b>")
          .raw("<b class=\"margin\" style=\"left:" + at(scale, one.margin()) + "%\"></b>")
          .raw("<i style=\"left:" + at(scale, one.low()) + "%;width:")
          .raw(Scale.css(100 * (scale.position(one.high()) - scale.position(one.low()))))
          .raw("%\"></i><b class=\"dot\" style=\"left:" + at(scale, one.value()) + "%\"></b>");
    }
    html.raw("</span>").element("span", "value", one.text()).raw("</div>\n");
  }

  private static String at(Scale scale, double value) {
    return Scale.css(100 * scale.position(value));
  }
}
