package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.TraceJoin;
import tallystick.analysis.result.TraceJoin.Part;

/** The join of spans and requests in words and cells. */
final class TraceText {
  static final List<String> HEADS =
      List.of("per request", "n", "mean", "P50", "P95", "P99", "max", "histogram", "difference");

  private static final List<String> CONSOLE_HEADS =
      List.of("", "n", "mean", "P50", "P95", "max", "histogram", "difference");

  private TraceText() {}

  /** How many were joined, and what was left over. */
  static String sentence(TraceJoin traces) {
    if (!traces.available()) {
      return "n/a (" + traces.absence() + ")";
    }
    String rest =
        traces.unmatchedSpans() == 0
            ? ""
            : "; " + Numbers.count(traces.unmatchedSpans())
                + " spans belong to no request of this run";
    return Wording.stamped(
        traces.stamp(),
        Numbers.count(traces.joined()) + " of " + Numbers.count(traces.requests())
            + " requests joined to the engine's own span by trace id" + rest);
  }

  /** Lines for a terminal; none where the run took no traces. */
  static List<String> console(TraceJoin traces) {
    if (!traces.listened()) {
      return List.of();
    }
    List<String> lines =
        new ArrayList<>(Lines.wrap("  ", sentence(traces), ConsoleSummary.WIDTH));
    if (traces.available()) {
      TextTable table = new TextTable(1);
      table.row(CONSOLE_HEADS);
      traces.parts().forEach(part -> table.row(consoleCells(part)));
      lines.addAll(table.lines());
    }
    return lines;
  }

  /** A part under {@link #HEADS}. */
  static List<String> cells(Part part) {
    return List.of(
        name(part),
        Numbers.count(part.samples().count()),
        Numbers.latency(part.samples().mean()),
        Fact.percentile(part.samples(), 0.5),
        Fact.percentile(part.samples(), 0.95),
        Fact.percentile(part.samples(), 0.99),
        Numbers.latency(part.samples().maximum()),
        Numbers.latency(part.histogramMean()),
        Numbers.latency(part.difference()));
  }

  private static List<String> consoleCells(Part part) {
    List<String> cells = new ArrayList<>(cells(part));
    cells.remove(HEADS.indexOf("P99"));
    // Why a figure is missing is told by the page; a terminal has no room for it in a table.
    cells.replaceAll(cell -> cell.startsWith("n/a") ? "n/a" : cell);
    cells.set(0, "  " + cells.get(0));
    return cells;
  }

  private static String name(Part part) {
    return switch (part.name()) {
      case TTFT_OUTSIDE -> "TTFT, client less engine";
      case E2E_OUTSIDE -> "E2E, client less engine";
      case TTFT -> "TTFT in the engine";
      case E2E -> "E2E in the engine";
      case API_SERVER, QUEUE, PREFILL, DECODE, INFERENCE -> Wording.name(part.name());
    };
  }
}
