package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Decomposition.Part;
import tallystick.analysis.result.Stamp;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.IntervalText;
import tallystick.answer.words.Wording;
import tallystick.report.markup.Drawn;
import tallystick.report.markup.Markup;
import tallystick.report.picture.Scale;

/** A latency taken apart: each part begins where the one before it ends. */
public final class WaterfallSection {
  private WaterfallSection() {}

  public static Section of(List<Decomposition> decompositions) {
    List<Block> blocks = new ArrayList<>();
    if (!decompositions.isEmpty()) {
      blocks.add(new Block.Text(
          Tone.MUTED,
          "Means, counted from when each request should have been sent; the parts add up to the"
              + " whole. The range beside a mean is its 95 % confidence interval."));
      decompositions.forEach(decomposition -> blocks.add(one(decomposition)));
    }
    return Section.of("waterfall", "Where the time went", blocks);
  }

  private static Block one(Decomposition decomposition) {
    String name = decomposition.stamp().on(Wording.name(decomposition.quantity()));
    return decomposition.available()
        ? Drawn.picture(html -> draw(html, decomposition), List.of(table(name, decomposition)))
        : new Block.Text(Tone.MUTED, name + ": n/a (" + decomposition.absence() + ")");
  }

  private static Block table(String name, Decomposition decomposition) {
    List<Block.Row> rows = new ArrayList<>();
    rows.add(Block.Row.of(Cell.of("whole"), Cell.latency(decomposition.whole()), Cell.NONE));
    for (Part part : decomposition.parts()) {
      rows.add(Block.Row.of(
          Cell.of(part.name().words()), Cell.latency(part.mean()), Cell.of(part.source())));
    }
    List<Column> columns =
        List.of(
            Column.name(name), Column.number("mean (95 % CI)"), Column.words("source").spare(1));
    return new Block.Table(name, false, columns, rows);
  }

  private static void draw(Markup html, Decomposition decomposition) {
    html.open("div", "waterfall").open("h3", "");
    html.text(Wording.name(decomposition.quantity()) + " ");
    html.element("small", "", IntervalText.latency(decomposition.whole()));
    if (decomposition.stamp() != Stamp.NONE) {
      html.raw(" ").element("span", "chip bad", decomposition.stamp().code());
    }
    html.raw(" <small class=\"sides\"><span class=\"client\">outside the engine</span>, ")
        .raw("<span class=\"engine\">inside it</span></small>")
        .close("h3");
    Scale scale = scale(decomposition);
    double at = 0;
    for (Part part : decomposition.parts()) {
      double length = part.mean().value().orZero();
      part(html, part, scale.bar(at, at + length));
      at += length;
    }
    html.close("div");
  }

  // Where the parts add up to, so that the last one ends inside the frame.
  private static Scale scale(Decomposition decomposition) {
    double end = 0;
    double highest = 0;
    for (Part part : decomposition.parts()) {
      end += part.mean().value().orZero();
      highest = Math.max(highest, end);
    }
    double whole = Math.max(highest, decomposition.whole().value().orZero());
    return Scale.exactly(0, whole > 0 ? whole : 1, 4);
  }

  private static void part(Markup html, Part part, String bar) {
    String side = part.name().isBeforeEngine() ? "client" : "engine";
    html.raw("<div class=\"row " + side + "\" title=\"")
        .text(part.source())
        .raw("\"><span class=\"level\">")
        .term(part.name().words())
        .raw("</span><span class=\"track\"><i style=\"" + bar)
        .raw("\"></i></span><span class=\"value\">")
        .text(IntervalText.latency(part.mean()))
        .raw("</span></div>\n");
  }
}
