package tallystick.report.picture;

import java.util.List;
import tallystick.answer.chart.Effects;
import tallystick.report.markup.Markup;

/** Effects with their intervals, one below the other, on one axis with zero and each margin. */
final class ForestPlot {
  private static final double ROOM = 0.06; // layout

  private ForestPlot() {}

  /** Draws them; an effect that is not known has only its words. */
  static void draw(Markup html, List<Effects.Effect> effects) {
    double low = 0;
    double high = 0;
    for (Effects.Effect one : effects) {
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

  private static void row(Markup html, Effects.Effect one, Scale scale) {
    html.raw("<div class=\"row " + one.tone().css() + "\">")
        .element("span", "level", one.name())
        .raw("<span class=\"track\">");
    if (one.isKnown()) {
      html.raw("<b class=\"zero\" style=\"" + scale.left(0) + "\"></b>")
          .raw("<b class=\"margin\" style=\"" + scale.left(one.margin()) + "\"></b>")
          .raw("<i style=\"" + scale.bar(one.low(), one.high()) + "\"></i>")
          .raw("<b class=\"dot\" style=\"" + scale.left(one.value()) + "\"></b>");
    }
    html.raw("</span>").element("span", "value", one.text()).raw("</div>\n");
  }
}
