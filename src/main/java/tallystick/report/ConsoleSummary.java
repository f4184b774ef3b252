package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;

/** The analysis as text for a terminal: at most 100 columns, readable without colour. */
public final class ConsoleSummary {
  static final int WIDTH = 100;
  private static final int MOST_QUANTITY = 40;
  private static final int LEAST_QUANTITY = 8;
  // Dropped in this order where the two-sided table would be wider than the terminal.
  private static final List<String> DISPENSABLE = List.of("P99.9", "P90", "max", "P50");

  private final boolean colour;
  private final List<String> out = new ArrayList<>();

  private ConsoleSummary(boolean colour) {
    this.colour = colour;
  }

  /**
   * The summary, lines ended by {@code \n}.
   *
   * @param colour whether ANSI colour is wanted; no fact is told by colour alone
   */
  public static String text(RunAnalysis analysis, boolean colour) {
    ConsoleSummary summary = new ConsoleSummary(colour);
    summary.headline(analysis);
    summary.objectives(analysis);
    summary.facts("Load", Fact.load(analysis.counts()));
    summary.facts("Flow", Fact.flow(analysis.load()));
    summary.twoSides(analysis);
    summary.comparisons(analysis);
    summary.ledger(analysis.reconciliation());
    summary.facts("Engine", Fact.engine(analysis));
    summary.facts("Harness", Fact.harness(analysis));
    summary.findings(analysis.findings());
    summary.section("Where the time went (means)", ConsoleMeaning.decompositions(analysis));
    summary.section(
        "Request by request (traces; means beside the histograms')",
        TraceText.console(analysis.traces()));
    summary.section(ReplicaText.TITLE, ReplicaText.console(analysis.load().replicas()));
    summary.section(
        SurroundingsText.POINTS_TITLE, SurroundingsText.consolePoints(analysis.surroundings()));
    summary.section(
        SurroundingsText.MACHINES_TITLE,
        SurroundingsText.consoleMachines(analysis.surroundings()));
    summary.section("Stalls and preemptions", ConsoleMeaning.stalls(analysis.stalls()));
    summary.section("Phases", ConsoleMeaning.phases(analysis.phases()));
    summary.section(
        "What it most likely means (triage, not proof)",
        ConsoleMeaning.interpretation(analysis.interpretation()));
    return String.join("\n", summary.out) + "\n";
  }

  private void headline(RunAnalysis analysis) {
    RunAnalysis.RunFacts run = analysis.run();
    Reconciliation.Verdict verdict = analysis.reconciliation().verdict();
    out.add("");
    List<String> parts = new ArrayList<>(Wording.headline(analysis));
    parts.set(1, "[" + parts.get(1) + "]");
    List<String> title = Lines.join("", parts, WIDTH);
    title.forEach(line -> out.add(ConsoleStyle.HEADING.mark(line, colour)));
    List<String> facts =
        Fact.run(run).stream()
            .filter(fact -> !fact.name().equals("engine") && !fact.name().equals("state"))
            .map(fact -> fact.name() + " " + fact.value())
            .toList();
    out.addAll(Lines.join("", facts, WIDTH));
    for (String caution : Wording.cautions(run)) {
      marked(ConsoleStyle.CAUTION, Lines.wrap("! ", caution, WIDTH));
    }
    for (String reason : Wording.invalidity(analysis)) {
      marked(ConsoleStyle.BAD, Lines.wrap("! INVALID: ", reason, WIDTH));
    }
    marked(style(verdict), Lines.wrap("", Wording.verdictSentence(verdict), WIDTH));
  }

  private void objectives(RunAnalysis analysis) {
    heading("Objectives");
    if (analysis.objectives().isEmpty()) {
      out.add("  none");
    }
    for (ObjectiveResult result : analysis.objectives()) {
      String head = "  %-15s".formatted(result.verdict().words());
      String text = Wording.objective(result.objective()) + ": " + ObjectiveText.result(result);
      marked(style(result.verdict()), Lines.wrap(head, text, WIDTH));
    }
  }

  private void facts(String title, List<Fact> facts) {
    out.add("");
    List<String> pieces =
        facts.stream().map(fact -> fact.name() + " " + fact.value()).toList();
    List<String> lines = Lines.join("%-10s".formatted(title), pieces, WIDTH);
    out.add(ConsoleStyle.HEADING.mark(lines.get(0).substring(0, 10), colour)
        + lines.get(0).substring(10));
    out.addAll(lines.subList(1, lines.size()));
  }

  private void twoSides(RunAnalysis analysis) {
    heading("Two sides: client exact, engine mean and the bucket each percentile lies in");
    List<LatencyRow> rows = LatencyTable.of(analysis);
    List<String> columns = new ArrayList<>(LatencyRow.HEADS);
    columns.remove("P99.9");
    TextTable table = table(rows, columns);
    for (String dispensable : DISPENSABLE) {
      if (table.width() > WIDTH) {
        columns.remove(dispensable);
        table = table(rows, columns);
      }
    }
    out.addAll(table.lines());
    LatencyRow.reasons(rows, columns)
        .forEach(reason -> marked(ConsoleStyle.FAINT, Lines.wrap("  ", reason, WIDTH)));
  }

  private static TextTable table(List<LatencyRow> rows, List<String> columns) {
    TextTable table = new TextTable(3);
    List<String> head = new ArrayList<>(List.of("", "", "", "n"));
    head.addAll(columns);
    table.row(head);
    String previous = "";
    for (LatencyRow row : rows) {
      List<String> cells = new ArrayList<>();
      cells.add(row.quantity().equals(previous) ? "" : row.quantity());
      cells.add(row.shortSide());
      cells.add(row.unit().symbol());
      cells.add(row.count());
      columns.forEach(column -> cells.add(row.cell(column).text()));
      table.row(cells);
      previous = row.quantity();
    }
    return table;
  }

  private void comparisons(RunAnalysis analysis) {
    for (Comparison comparison : analysis.comparisons()) {
      String head = "  %-5s".formatted(ComparisonText.name(comparison));
      out.addAll(Lines.wrap(head, ComparisonText.sentence(comparison), WIDTH));
    }
  }

  private void ledger(Reconciliation reconciliation) {
    heading("Ledger: " + Wording.verdict(reconciliation.verdict()));
    if (reconciliation.rows().isEmpty()) {
      return;
    }
    TextTable table = ledgerTable(reconciliation, MOST_QUANTITY);
    if (table.width() > WIDTH) {
      int longest =
          reconciliation.rows().stream().mapToInt(row -> row.quantity().length()).max().orElse(0);
      int over = table.width() - WIDTH;
      table = ledgerTable(reconciliation, Math.min(longest, MOST_QUANTITY) - over);
    }
    List<String> lines = table.lines();
    out.add(lines.getFirst());
    for (int i = 0; i < reconciliation.rows().size(); i++) {
      boolean differs = reconciliation.rows().get(i).status() == Reconciliation.Status.DIFFERS;
      String line = lines.get(i + 1);
      out.add(differs ? ConsoleStyle.BAD.mark(line, colour) : line);
    }
    LedgerText.reasons(reconciliation)
        .forEach(reason -> out.addAll(Lines.wrap("  ", reason, WIDTH)));
  }

  private static TextTable ledgerTable(Reconciliation reconciliation, int quantityWidth) {
    TextTable table = new TextTable(2);
    table.row("", "", "client", "engine", "engine - client", "allowed", "");
    for (Reconciliation.Row row : reconciliation.rows()) {
      table.row(
          row.id().code(),
          Lines.cut(row.quantity(), Math.max(LEAST_QUANTITY, quantityWidth)),
          LedgerText.count(row.client()),
          LedgerText.count(row.engine()),
          LedgerText.count(row.difference()),
          Wording.allowed(row),
          Wording.status(row.status()));
    }
    return table;
  }

  private void findings(List<Finding> findings) {
    if (findings.isEmpty()) {
      return;
    }
    heading("Findings");
    for (Finding finding : findings) {
      String head = "  %-8s".formatted(Wording.severity(finding.severity()));
      marked(style(finding.severity()), Lines.wrap(head, finding.text(), WIDTH));
      finding.evidence().forEach(line -> out.addAll(Lines.wrap("            ", line, WIDTH)));
      if (!finding.remedy().isEmpty()) {
        out.addAll(Lines.wrap("          -> ", finding.remedy(), WIDTH));
      }
    }
  }

  private void section(String title, List<String> lines) {
    if (!lines.isEmpty()) {
      heading(title);
      out.addAll(lines);
    }
  }

  private void heading(String text) {
    out.add("");
    out.add(ConsoleStyle.HEADING.mark(text, colour));
  }

  private void marked(ConsoleStyle style, List<String> lines) {
    lines.forEach(line -> out.add(style.mark(line, colour)));
  }

  private static ConsoleStyle style(Reconciliation.Verdict verdict) {
    return switch (verdict) {
      case RECONCILED -> ConsoleStyle.GOOD;
      case RECONCILED_WITH_TOLERANCE, RECONCILED_IN_PART, NOT_CHECKED -> ConsoleStyle.CAUTION;
      case NOT_RECONCILED -> ConsoleStyle.BAD;
    };
  }

  private static ConsoleStyle style(ObjectiveResult.Verdict verdict) {
    return switch (verdict) {
      case MET -> ConsoleStyle.GOOD;
      case VIOLATED -> ConsoleStyle.BAD;
      case NOT_PROVEN -> ConsoleStyle.CAUTION;
    };
  }

  private static ConsoleStyle style(Finding.Severity severity) {
    return switch (severity) {
      case INVALID -> ConsoleStyle.BAD;
      case WARNING -> ConsoleStyle.CAUTION;
      case NOTE -> ConsoleStyle.FAINT;
    };
  }
}
