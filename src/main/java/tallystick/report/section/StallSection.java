package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.StallAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Fact;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.IntervalText;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Drawn;
import tallystick.report.markup.Markup;
import tallystick.report.picture.Scale;

/** What moved together with the client's stalls. */
public final class StallSection {
  private StallSection() {}

  public static Section of(StallAnalysis stalls) {
    return Section.of("stalls", "Stalls and preemptions", blocks(stalls));
  }

  private static List<Block> blocks(StallAnalysis stalls) {
    if (!stalls.available()) {
      return List.of(new Block.Text(Tone.MUTED, "n/a (" + stalls.absence() + ")"));
    }
    List<Block> blocks = new ArrayList<>();
    String verdict = stalls.verdict().words();
    blocks.add(new Block.Text(Tone.PLAIN, verdict + ": " + stalls.text()));
    blocks.add(new Block.Facts(List.of(
        new Fact("a stall is a gap above", Numbers.latency(stalls.thresholdSeconds())),
        new Fact("stalls", Numbers.count(stalls.stalls())),
        new Fact("of them pauses of the client", Numbers.count(stalls.clientSide())),
        new Fact("preemptions", Numbers.count(stalls.preemptions())),
        new Fact("close to a preemption", Numbers.count(stalls.attributed())),
        new Fact("expected by chance", Numbers.number(stalls.expected())),
        new Fact("binomial p", Numbers.probability(stalls.attributionP())),
        new Fact("rank correlation", Numbers.number(stalls.statistic())),
        new Fact("p by circular shift", Numbers.probability(stalls.pValue())),
        new Fact("with load taken out", Numbers.number(stalls.partial())))));
    List<StallAnalysis.Offset> known =
        stalls.eventStudy().stream()
            .filter(offset -> offset.meanStalls().value() instanceof Figure.Known)
            .toList();
    if (!known.isEmpty()) {
      blocks.add(Drawn.picture(html -> eventStudy(html, known, stalls)));
    }
    return blocks;
  }

  private static void eventStudy(
      Markup html, List<StallAnalysis.Offset> known, StallAnalysis stalls) {
    double top =
        known.stream().mapToDouble(one -> one.meanStalls().value().orNaN()).max().orElse(1);
    Scale scale = Scale.fromZero(top, 3);
    html.raw("<div class=\"events\">\n<h3>Mean stalls around a preemption</h3>\n");
    for (StallAnalysis.Offset offset : known) {
      String when = offset.intervals() > 0 ? "+" + offset.intervals() : "" + offset.intervals();
      html.raw("<div class=\"row\"><span class=\"level\">")
          .text(when)
          .raw("</span><span class=\"track\"><i style=\"width:")
          .raw(Scale.css(100 * scale.position(offset.meanStalls().value().orNaN())))
          .raw("%\"></i></span><span>")
          .text(IntervalText.number(offset.meanStalls()))
          .raw("</span></div>\n");
    }
    html.raw("<p><small>By scrape intervals after the preemption. Far from any: ")
        .text(Numbers.number(stalls.baseline()))
        .raw("</small></p></div>\n");
  }
}
