package tallystick.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.result.Decomposition;
import tallystick.analysis.result.Interpretation;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.StallAnalysis;

/** The later stages of the analysis as lines for a terminal. */
final class ConsoleMeaning {
  private static final int WIDTH = ConsoleSummary.WIDTH;

  private ConsoleMeaning() {}

  /** Each latency that could be taken apart, on one line. */
  static List<String> decompositions(RunAnalysis analysis) {
    List<String> lines = new ArrayList<>();
    for (Decomposition decomposition : analysis.decompositions()) {
      String head = "  %-4s ".formatted(Wording.name(decomposition.quantity()));
      if (decomposition.available()) {
        lines.addAll(Lines.join(head, parts(decomposition), WIDTH));
      } else {
        lines.addAll(Lines.wrap(head, "n/a (" + decomposition.absence() + ")", WIDTH));
      }
    }
    return lines;
  }

  private static List<String> parts(Decomposition decomposition) {
    List<String> pieces = new ArrayList<>();
    pieces.add(
        Wording.stamped(
            decomposition.stamp(), Numbers.latency(decomposition.whole().value()) + " ="));
    decomposition
        .parts()
        .forEach(
            part ->
                pieces.add(part.name().words() + " " + Numbers.latency(part.mean().value())));
    return pieces;
  }

  /** One sentence on stalls; nothing where there were neither stalls nor a way to look. */
  static List<String> stalls(StallAnalysis stalls) {
    String text =
        stalls.available()
            ? stalls.verdict().words() + ": " + stalls.text()
            : "n/a (" + stalls.absence() + ")";
    return Lines.wrap("  ", text, WIDTH);
  }

  /** Likely directions with what speaks for and against each. */
  static List<String> interpretation(Interpretation interpretation) {
    if (!interpretation.available()) {
      return Lines.wrap("  ", "n/a (" + interpretation.absence() + ")", WIDTH);
    }
    List<String> lines = new ArrayList<>();
    lines.addAll(
        Lines.wrap(
            "  ",
            Wording.stamped(
                interpretation.stamp(),
                interpretation.judged() + " against " + interpretation.reference()),
            WIDTH));
    lines.addAll(ChangeText.console(interpretation, WIDTH));
    List<String> signals =
        interpretation.signals().stream()
            .map(signal -> Wording.name(signal.name()) + " " + Wording.state(signal.state()))
            .toList();
    lines.addAll(Lines.join("  P95: ", signals, WIDTH));
    for (Interpretation.Direction direction : interpretation.directions()) {
      lines.addAll(Lines.wrap("  * ", direction.text(), WIDTH));
      direction.evidence().forEach(line -> lines.addAll(Lines.wrap("      for   ", line, WIDTH)));
      direction.contrary().forEach(line -> lines.addAll(Lines.wrap("      but   ", line, WIDTH)));
      direction.nextChecks().forEach(line -> lines.addAll(Lines.wrap("      check ", line, WIDTH)));
    }
    if (interpretation.directions().isEmpty()) {
      lines.addAll(Lines.wrap("  ", Wording.noDirection(interpretation), WIDTH));
    }
    return lines;
  }

  /** A table of the phases where there are several, then what is to be said of each. */
  static List<String> phases(List<PhaseAnalysis> phases) {
    List<String> lines = new ArrayList<>();
    if (phases.size() > 1) {
      TextTable table = new TextTable(1);
      table.row("  ", "offered/s", "requests", "ok", "TTFT P50", "TTFT P95", "largest gap P95");
      phases.forEach(phase -> table.row(row(phase)));
      lines.addAll(table.lines());
      lines.addAll(reasons(phases));
    }
    for (PhaseAnalysis phase : phases) {
      lines.addAll(Lines.wrap("  ", phase.phase() + ": " + PhaseText.notes(phase), WIDTH));
    }
    return lines;
  }

  private static List<String> row(PhaseAnalysis phase) {
    return List.of(
        "  " + Lines.cut(phase.phase(), 22),
        Lines.cut(Numbers.number(phase.offeredPerSecond()), 9),
        Numbers.count(phase.requests()),
        Numbers.count(phase.ok()),
        shortened(Fact.percentile(phase.ttft(), 0.5)),
        shortened(Fact.percentile(phase.ttft(), 0.95)),
        shortened(Fact.percentile(phase.largestGaps(), 0.95)));
  }

  private static List<String> reasons(List<PhaseAnalysis> phases) {
    Map<String, List<String>> places = new LinkedHashMap<>();
    for (PhaseAnalysis phase : phases) {
      String name = phase.phase();
      place(places, Fact.percentile(phase.ttft(), 0.5), name + " TTFT P50");
      place(places, Fact.percentile(phase.ttft(), 0.95), name + " TTFT P95");
      place(places, Fact.percentile(phase.largestGaps(), 0.95), name + " largest gap P95");
    }
    List<String> lines = new ArrayList<>();
    places.forEach(
        (reason, where) ->
            lines.addAll(Lines.wrap("  ", reason + ": " + String.join("; ", where), WIDTH)));
    return lines;
  }

  private static void place(Map<String, List<String>> places, String figure, String where) {
    if (figure.startsWith("n/a")) {
      places.computeIfAbsent(figure, reason -> new ArrayList<>()).add(where);
    }
  }

  // The reason stands below the table; a column as wide as it would not fit the terminal.
  private static String shortened(String figure) {
    return figure.startsWith("n/a") ? "n/a" : figure;
  }
}
