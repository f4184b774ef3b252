package tallystick.report.section;

import java.util.List;
import java.util.Locale;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Cell;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Markup;

/** The handful of figures that matter, large, at the head of the page. */
public final class Glances {
  private static final List<Glance> GLANCES =
      List.of(
          new Glance("TTFT", "P95"),
          new Glance("Largest gap", "P95"),
          new Glance("ITL", "P99"),
          new Glance("E2E", "P95"));

  private Glances() {}

  private record Glance(String quantity, String column) {}

  public static void draw(Markup html, RunAnalysis analysis) {
    List<LatencyRow> rows = LatencyTable.of(analysis);
    html.raw("<div class=\"glances\" role=\"group\" aria-label=\"At a glance\">\n");
    for (Glance glance : GLANCES) {
      html.raw("<div><h2>").term(glance.quantity()).text(" " + glance.column()).raw("</h2>");
      for (Tone side : List.of(Tone.CLIENT, Tone.ENGINE)) {
        rows.stream()
            .filter(row -> row.quantity().equals(glance.quantity()) && row.side() == side)
            .findFirst()
            .ifPresent(row -> glance(html, row, glance.column()));
      }
      html.raw("</div>\n");
    }
    pressure(html, analysis);
    html.raw("</div>\n");
  }

  private static void glance(Markup html, LatencyRow row, String column) {
    Cell cell = row.cell(column);
    String side = row.side().name().toLowerCase(Locale.ROOT);
    value(html, side, cell.isMissing(), cell.full());
    html.text(cell.isMissing() ? side : row.unit().symbol() + " " + side).raw("</p>\n");
  }

  private static void value(Markup html, String side, boolean isMissing, String text) {
    html.raw("<p class=\"" + side + (isMissing ? " missing" : "") + "\"><b>");
    html.text(text).raw("</b> ");
  }

  private static void pressure(Markup html, RunAnalysis analysis) {
    html.raw("<div><h2>").term("Output tokens/s").raw("</h2>");
    String rate = Numbers.number(analysis.counts().completionTokensPerSecond());
    value(html, "client", false, rate);
    html.raw("client</p>");
    value(
        html, "engine", !analysis.engine().available(),
        EngineSection.preemptions(analysis.engine()));
    html.raw("preemptions engine</p></div>\n");
  }
}
