package tallystick.report;

import java.util.List;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.Interpretation.Direction;
import tallystick.analysis.result.Interpretation.Signal;
import tallystick.analysis.result.StallAnalysis;

/** Which way the evidence points, and what moved together with the client's stalls. */
final class HtmlMeaning {
  private HtmlMeaning() {}

  static void interpretation(Markup html, Interpretation interpretation) {
    html.raw("<section id=\"meaning\">\n").element("h2", "", "What it most likely means");
    if (!interpretation.available()) {
      html.element("p", "none", "n/a (" + interpretation.absence() + ")").raw("</section>\n");
      return;
    }
    html.element(
        "p",
        "lead",
        Wording.triage(interpretation));
    changes(html, interpretation);
    signals(html, interpretation.signals());
    if (interpretation.directions().isEmpty()) {
      html.element("p", "none", Wording.noDirection(interpretation));
    }
    List<Direction> directions = interpretation.directions();
    for (int i = 0; i < directions.size(); i++) {
      direction(html, directions.get(i), i == 0);
    }
    html.raw("</section>\n");
  }

  private static void changes(Markup html, Interpretation interpretation) {
    html.element("h3", "", ChangeText.TITLE);
    table(html, "what changed", ChangeText.HEADS, ChangeText.rows(interpretation));
    html.element("h3", "", "What was asked of the engine, and how it fared");
    table(
        html, "circumstances", ChangeText.CIRCUMSTANCE_HEADS,
        ChangeText.circumstances(interpretation));
  }

  private static void table(
      Markup html, String name, List<String> heads, List<List<String>> rows) {
    HtmlTable table = new HtmlTable(html, name);
    table.head(1, heads.toArray(String[]::new));
    rows.forEach(table::row);
    table.end();
  }

  private static void signals(Markup html, List<Signal> signals) {
    html.open("ul", "signals");
    for (Signal signal : signals) {
      html.raw("<li class=\"" + css(signal.state()) + "\"><span>")
          .text(Wording.name(signal.name()))
          .raw("</span> <b>")
          .text(Wording.state(signal.state()))
          .raw("</b> <small>")
          .text(IntervalText.ratio(signal.ratio()))
          .raw("</small></li>\n");
    }
    html.close("ul");
  }

  private static String css(Interpretation.State state) {
    return switch (state) {
      case HIGH -> "bad";
      case STABLE, LOW -> "good";
      case UNKNOWN -> "plain";
    };
  }

  // The best supported direction is open; the others open on demand.
  private static void direction(Markup html, Direction direction, boolean first) {
    html.raw("<details class=\"finding\"" + (first ? " open" : "") + "><summary>")
        .text(direction.text())
        .raw("</summary>\n<div class=\"arguments\">");
    arguments(html, "For it", direction.evidence());
    arguments(html, "Against it, or not known", direction.contrary());
    arguments(html, "Check next", direction.nextChecks());
    html.raw("</div>");
    if (!direction.runbook().isEmpty()) {
      html.raw("<p class=\"runbook\">Runbook: ")
          .element("code", "", "docs/runbook.md#" + direction.runbook())
          .raw("</p>");
    }
    html.close("details");
  }

  private static void arguments(Markup html, String title, List<String> lines) {
    if (!lines.isEmpty()) {
      html.raw("<div>").element("h4", "", title).list("", lines).raw("</div>\n");
    }
  }

  static void stalls(Markup html, StallAnalysis stalls) {
    html.raw("<section id=\"stalls\">\n").element("h2", "", "Stalls and preemptions");
    if (!stalls.available()) {
      html.element("p", "none", "n/a (" + stalls.absence() + ")").raw("</section>\n");
      return;
    }
    html.raw("<p class=\"verdict\">").text(stalls.text()).raw("</p>\n");
    html.facts(
        List.of(
            new Fact("verdict", stalls.verdict().words()),
            new Fact("a stall is a gap above", Numbers.latency(stalls.thresholdSeconds())),
            new Fact("stalls", Numbers.count(stalls.stalls())),
            new Fact("of them pauses of the client", Numbers.count(stalls.clientSide())),
            new Fact("preemptions", Numbers.count(stalls.preemptions())),
            new Fact("close to a preemption", Numbers.count(stalls.attributed())),
            new Fact("expected by chance", Numbers.number(stalls.expected())),
            new Fact("binomial p", Numbers.probability(stalls.attributionP())),
            new Fact("rank correlation", Numbers.number(stalls.statistic())),
            new Fact("p by circular shift", Numbers.probability(stalls.pValue())),
            new Fact("with load taken out", Numbers.number(stalls.partial()))));
    eventStudy(html, stalls);
    html.raw("</section>\n");
  }

  private static void eventStudy(Markup html, StallAnalysis stalls) {
    List<StallAnalysis.Offset> known =
        stalls.eventStudy().stream()
            .filter(offset -> offset.meanStalls().value() instanceof Figure.Known)
            .toList();
    if (known.isEmpty()) {
      return;
    }
    double top = known.stream().mapToDouble(offset -> value(offset.meanStalls().value())).max()
        .orElse(1);
    Scale scale = Scale.fromZero(top, 3);
    html.raw("<div class=\"events\">\n<h3>Mean stalls around a preemption</h3>\n");
    for (StallAnalysis.Offset offset : known) {
      double mean = value(offset.meanStalls().value());
      String when = offset.intervals() > 0 ? "+" + offset.intervals() : "" + offset.intervals();
      html.raw("<div class=\"row\"><span class=\"level\">")
          .text(when)
          .raw("</span><span class=\"track\"><i style=\"width:")
          .raw(Scale.css(100 * scale.position(mean)) + "%\"></i></span><span>")
          .text(IntervalText.number(offset.meanStalls()))
          .raw("</span></div>\n");
    }
    html.raw("<p><small>By scrape intervals after the preemption. Far from any: ")
        .text(Numbers.number(stalls.baseline()))
        .raw("</small></p></div>\n");
  }

  private static double value(Figure figure) {
    return ((Figure.Known) figure).value();
  }
}
