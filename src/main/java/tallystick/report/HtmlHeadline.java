package tallystick.report;

import java.util.List;
import java.util.Locale;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.report.LatencyRow.Cell;
import tallystick.report.LatencyRow.Side;
import tallystick.runrecord.Manifest;

/** What a reader sees first: what ran, whether to trust it, the handful of figures that matter. */
final class HtmlHeadline {
  private static final List<Glance> GLANCES =
      List.of(
          new Glance("TTFT", "P95"),
          new Glance("Largest gap", "P95"),
          new Glance("ITL", "P99"),
          new Glance("E2E", "P95"));

  private HtmlHeadline() {}

  private record Glance(String quantity, String column) {}

  static void write(Markup html, RunAnalysis analysis) {
    RunAnalysis.RunFacts run = analysis.run();
    Reconciliation.Verdict verdict = analysis.reconciliation().verdict();
    html.raw("<header>\n<p class=\"brand\">" + HtmlPage.resource("mark.svg"))
        .raw("<span>Tallystick</span></p>\n<h1>")
        .text(run.scenario())
        .raw("</h1>\n<p class=\"chips\">");
    boolean isReal = run.source() == Manifest.Source.REAL;
    chip(html, isReal ? "plain" : "caution", Wording.engine(run.source()));
    chip(html, Wording.stateSentence(run).isEmpty() ? "plain" : "bad", Wording.state(run.state()));
    chip(html, css(verdict), Wording.verdict(verdict));
    if (!Wording.invalidity(analysis).isEmpty()) {
      chip(html, "bad", "INVALID");
    }
    html.raw("</p>\n");
    html.element("p", "verdict", Wording.verdictSentence(verdict));
    html.list("cautions invalid", Wording.invalidity(analysis));
    html.list("cautions", Wording.cautions(run));
    html.facts(
        Fact.run(run).stream()
            .filter(fact -> !fact.name().equals("engine") && !fact.name().equals("state"))
            .toList());
    html.raw("</header>\n");
    glances(html, analysis);
  }

  private static void chip(Markup html, String css, String text) {
    html.raw("<span class=\"chip " + css + "\">").text(text).raw("</span> ");
  }

  static String css(Reconciliation.Verdict verdict) {
    return switch (verdict) {
      case RECONCILED -> "good";
      case RECONCILED_WITH_TOLERANCE, RECONCILED_IN_PART, NOT_CHECKED -> "caution";
      case NOT_RECONCILED -> "bad";
    };
  }

  private static void glances(Markup html, RunAnalysis analysis) {
    List<LatencyRow> rows = LatencyTable.of(analysis);
    html.raw("<section class=\"glances\" aria-label=\"At a glance\">\n");
    for (Glance glance : GLANCES) {
      List<LatencyRow> ours =
          rows.stream().filter(row -> row.quantity().equals(glance.quantity())).toList();
      html.raw("<div>").element("h2", "", glance.quantity() + " " + glance.column());
      for (Side side : Side.values()) {
        ours.stream()
            .filter(row -> row.side() == side)
            .findFirst()
            .ifPresent(row -> glance(html, row, glance.column()));
      }
      html.raw("</div>\n");
    }
    pressure(html, analysis);
    html.raw("</section>\n");
  }

  private static void glance(Markup html, LatencyRow row, String column) {
    Cell cell = row.cell(column);
    String side = row.side().name().toLowerCase(Locale.ROOT);
    html.raw("<p class=\"" + side + (cell.isMissing() ? " missing" : "") + "\"><b>")
        .text(cell.full())
        .raw("</b> ");
    html.text(cell.isMissing() ? side : row.unit().symbol() + " " + side).raw("</p>\n");
  }

  private static void pressure(Markup html, RunAnalysis analysis) {
    html.raw("<div><h2>Output tokens/s</h2><p class=\"client\"><b>")
        .text(Numbers.number(analysis.counts().completionTokensPerSecond()))
        .raw("</b> client</p>");
    boolean known = analysis.engine().available();
    html.raw(known ? "<p class=\"engine\"><b>" : "<p class=\"engine missing\"><b>")
        .text(
            known
                ? Fact.preemptions(analysis.engine())
                : "n/a (" + analysis.engine().absence() + ")")
        .raw("</b> preemptions engine</p></div>\n");
  }
}
