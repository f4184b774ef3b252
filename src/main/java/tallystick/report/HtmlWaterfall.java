package tallystick.report;

import java.util.List;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Decomposition.Part;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Stamp;

/** A latency taken apart: each part begins where the one before it ends. */
final class HtmlWaterfall {
  private HtmlWaterfall() {}

  static void write(Markup html, List<Decomposition> decompositions) {
    if (decompositions.isEmpty()) {
      return;
    }
    html.raw("<section id=\"waterfall\">\n").element("h2", "", "Where the time went");
    html.raw("<p class=\"lead\">Means, which add up, from the intended start on. ")
        .raw("<span class=\"client\">Outside the engine</span>, then ")
        .raw("<span class=\"engine\">inside it</span>. In brackets the 95 % interval.</p>\n");
    decompositions.forEach(decomposition -> one(html, decomposition));
    html.raw("</section>\n");
  }

  private static void one(Markup html, Decomposition decomposition) {
    html.open("div", "waterfall").open("h3", "");
    html.text(Wording.name(decomposition.quantity()));
    if (!decomposition.available()) {
      html.close("h3").element("p", "none", "n/a (" + decomposition.absence() + ")").close("div");
      return;
    }
    html.raw(" <small>").text(IntervalText.latency(decomposition.whole())).raw("</small>");
    if (decomposition.stamp() != Stamp.NONE) {
      html.raw(" <span class=\"chip bad\">").text(decomposition.stamp().code()).raw("</span>");
    }
    html.close("h3");
    Scale scale = scale(decomposition);
    double at = 0;
    for (Part part : decomposition.parts()) {
      double length = known(part.mean().value());
      part(html, part, scale.position(at), scale.position(at + length));
      at += length;
    }
    html.close("div");
  }

  // Where the parts add up to, so that the last one ends inside the frame.
  private static Scale scale(Decomposition decomposition) {
    double end = 0;
    double highest = 0;
    for (Part part : decomposition.parts()) {
      end += known(part.mean().value());
      highest = Math.max(highest, end);
    }
    double whole = Math.max(highest, known(decomposition.whole().value()));
    return Scale.exactly(0, whole > 0 ? whole : 1, 4);
  }

  private static void part(Markup html, Part part, double from, double to) {
    String side = part.name().isBeforeEngine() ? "client" : "engine";
    double left = 100 * Math.min(from, to);
    double width = 100 * Math.abs(to - from);
    html.raw("<div class=\"row " + side + "\" title=\"")
        .text(part.source())
        .raw("\"><span class=\"level\">")
        .text(part.name().words())
        .raw("</span><span class=\"track\"><i style=\"left:" + Scale.css(left) + "%;width:")
        .raw(Scale.css(width) + "%\"></i></span><span class=\"value\">")
        .text(IntervalText.latency(part.mean()))
        .raw("</span></div>\n");
  }

  private static double known(Figure figure) {
    return figure instanceof Figure.Known known ? known.value() : 0;
  }
}
