package tallystick.report.section;

import java.util.List;
import java.util.function.Function;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.LoadSteps;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.answer.Cell;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Markup;

/** The handful of figures that matter, large, at the head of the page. */
public final class Glances {
  private static final List<Glance> GLANCES =
      List.of(
          new Glance("TTFT", "P95", PhaseAnalysis::ttft, 0.95),
          new Glance("Largest gap", "P95", PhaseAnalysis::largestGaps, 0.95),
          new Glance("ITL", "P99", PhaseAnalysis::chunkGaps, 0.99),
          new Glance("E2E", "P95", PhaseAnalysis::e2e, 0.95));

  /** Where an objective asks for it. */
  private static final String SESSION = "Session time";

  private Glances() {}

  private record Glance(
      String quantity, String column, Function<PhaseAnalysis, Distribution> ofPhase, double level) {
    Figure of(PhaseAnalysis step) {
      return ofPhase.apply(step).percentile(level);
    }
  }

  /** Figures of a run; of one that goes up in steps those of the steps that tell. */
  public static void draw(Markup html, RunAnalysis analysis) {
    List<LatencyRow> rows = LatencyTable.of(analysis);
    List<PhaseAnalysis> steps = 
        analysis.steps().map(LoadSteps::telling).orElse(List.of());
    // Latencies that hold the client's own delay, or that nobody may use, step back.
    String css = Usability.of(analysis).isForLatencies() ? "glances" : "glances rough";
    html.raw("<div class=\"" + css + "\" role=\"group\" aria-label=\"At a glance\">\n");
    for (Glance glance : GLANCES) {
      html.raw("<div><h2>").term(glance.quantity() + " " + glance.column()).raw("</h2>");
      steps.forEach(step -> glance(html, step, Numbers.latency(glance.of(step))));
      for (Tone side : steps.isEmpty() ? List.of(Tone.CLIENT, Tone.ENGINE) : List.<Tone>of()) {
        rows.stream()
            .filter(row -> row.quantity().equals(glance.quantity()) && row.side() == side)
            .findFirst()
            .ifPresent(row -> glance(html, row, glance.column()));
      }
      html.raw("</div>\n");
    }
    rows.stream()
        .filter(row -> row.quantity().equals(SESSION))
        .findFirst()
        .ifPresent(
            row -> {
              html.raw("<div><h2>").term(SESSION + " P95").raw("</h2>");
              glance(html, row, "P95");
              html.raw("</div>\n");
            });
    pressure(html, analysis, steps);
    html.raw("</div>\n");
  }

  private static void glance(Markup html, LatencyRow row, String column) {
    Cell cell = row.cell(column);
    String side = row.side().css();
    value(html, side, cell.isMissing(), cell.full());
    html.text(cell.isMissing() ? side : row.unit().symbol() + " " + side).raw("</p>\n");
  }

  private static void value(Markup html, String side, boolean isMissing, String text) {
    html.raw("<p class=\"" + side + (isMissing ? " missing" : "") + "\"><b>");
    html.text(text).raw("</b> ");
  }

  private static void glance(Markup html, PhaseAnalysis step, String figure) {
    value(html, "client", figure.startsWith("n/a"), figure);
    html.text("at " + Numbers.number(step.offeredPerSecond()) + "/s").raw("</p>\n");
  }

  private static void pressure(Markup html, RunAnalysis analysis, List<PhaseAnalysis> steps) {
    html.raw("<div><h2>");
    if (steps.isEmpty()) {
      html.term("Output tokens/s").raw("</h2>");
      value(html, "client", false, Numbers.number(analysis.counts().completionTokensPerSecond()));
      html.raw("client</p>");
    } else {
      html.text("Good requests/s").raw("</h2>");
      steps.forEach(step -> glance(html, step, Numbers.number(step.goodput().requestsPerSecond())));
    }
    value(
        html, "engine", !analysis.engine().available(),
        EngineSection.preemptions(analysis.engine()));
    html.raw("preemptions engine</p></div>\n");
  }
}
