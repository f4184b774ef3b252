package tallystick.report;

import tallystick.analysis.result.TraceJoin;

/** The join by trace as a section of the page. */
final class HtmlTraces {
  private HtmlTraces() {}

  static void write(Markup html, TraceJoin traces) {
    if (!traces.listened()) {
      return;
    }
    html.raw("<section id=\"traces\">\n").element("h2", "", "Request by request (traces)");
    html.element("p", traces.available() ? "lead" : "none", TraceText.sentence(traces));
    if (traces.available()) {
      HtmlTable table = new HtmlTable(html, "Request by request");
      table.head(1, TraceText.HEADS.toArray(String[]::new));
      traces.parts().forEach(part -> table.row(TraceText.cells(part)));
      table.end();
    }
    if (!traces.reception().isEmpty()) {
      html.element("p", "none", "Receiver: " + traces.reception() + ".");
    }
    html.raw("</section>\n");
  }
}
