package tallystick.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.report.LatencyRow.Cell;
import tallystick.report.LatencyRow.Side;

/** {@code summary.md}: the analysis for a merge request or a wiki. */
public final class SummaryMarkdown implements ReportFormat {

  @Override
  public String fileName() {
    return "summary.md";
  }

  @Override
  public void write(RunAnalysis analysis, OutputStream out) throws IOException {
    MarkdownText text = new MarkdownText();
    headline(text, analysis);
    objectives(text, analysis);
    latencies(text, analysis);
    comparisons(text, analysis);
    ledger(text, analysis.reconciliation());
    facts(text, "Load", Fact.load(analysis.counts()));
    facts(text, "Offered, admitted, completed", Fact.flow(analysis.load()));
    facts(text, "Engine", Fact.engine(analysis));
    facts(text, "Harness", Fact.harness(analysis));
    findings(text, analysis.findings());
    MarkdownMeaning.write(text, analysis);
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void headline(MarkdownText text, RunAnalysis analysis) {
    RunAnalysis.RunFacts run = analysis.run();
    Reconciliation.Verdict verdict = analysis.reconciliation().verdict();
    text.heading(1, String.join(" · ", Wording.headline(analysis)));
    Wording.invalidity(analysis).forEach(reason -> text.quote("INVALID: " + reason));
    Wording.cautions(run).forEach(text::quote);
    text.paragraph(Wording.verdictSentence(verdict));
    text.paragraph(
        Fact.run(run).stream()
            .map(fact -> fact.name() + ": " + fact.value())
            .reduce((left, right) -> left + " · " + right)
            .orElse(""));
  }

  private static void objectives(MarkdownText text, RunAnalysis analysis) {
    text.heading(2, "Objectives");
    if (analysis.objectives().isEmpty()) {
      text.paragraph("None were set.");
      return;
    }
    text.tableHead(0, "objective", "verdict", "judged");
    for (ObjectiveResult result : analysis.objectives()) {
      text.tableRow(
          List.of(
              Wording.objective(result.objective()),
              result.verdict().words(),
              ObjectiveText.result(result)));
    }
    text.tableEnd();
  }

  private static void latencies(MarkdownText text, RunAnalysis analysis) {
    text.heading(2, "Two sides");
    text.paragraph(
        "Client figures are exact. Engine figures are exact means and the bucket (low, high] in"
            + " which each percentile lies.");
    List<String> head = new ArrayList<>(List.of("", "side", "unit", "n"));
    head.addAll(LatencyRow.HEADS);
    text.tableHead(3, head.toArray(String[]::new));
    for (LatencyRow row : LatencyTable.of(analysis)) {
      String side = row.side() == Side.ENGINE ? "engine" : "client, " + row.basis();
      List<String> cells = new ArrayList<>();
      cells.addAll(List.of(row.quantity(), side, row.unit().symbol(), row.count()));
      row.cells().stream().map(Cell::full).forEach(cells::add);
      text.tableRow(cells);
    }
    text.tableEnd();
  }

  private static void comparisons(MarkdownText text, RunAnalysis analysis) {
    for (Comparison comparison : analysis.comparisons()) {
      text.item(
          ComparisonText.name(comparison)
              + ": "
              + ComparisonText.sentence(comparison));
    }
    text.blank();
  }

  private static void ledger(MarkdownText text, Reconciliation reconciliation) {
    text.heading(2, "Ledger: " + Wording.verdict(reconciliation.verdict()));
    if (reconciliation.rows().isEmpty()) {
      text.paragraph(Wording.verdictSentence(reconciliation.verdict()));
      return;
    }
    text.tableHead(
        2, "", "counted", "client", "engine", "engine - client", "allowed", "status");
    for (Reconciliation.Row row : reconciliation.rows()) {
      text.tableRow(
          List.of(
              row.id().code(),
              row.quantity(),
              Numbers.count(row.client()),
              Numbers.count(row.engine()),
              Numbers.count(row.difference()),
              Wording.allowed(row),
              Wording.status(row.status())));
    }
    text.tableEnd();
  }

  private static void facts(MarkdownText text, String title, List<Fact> facts) {
    text.heading(2, title);
    text.tableHead(1, "", "");
    facts.forEach(fact -> text.tableRow(List.of(fact.name(), fact.value())));
    text.tableEnd();
  }

  private static void findings(MarkdownText text, List<Finding> findings) {
    text.heading(2, "Findings");
    if (findings.isEmpty()) {
      text.paragraph("None.");
    }
    for (Finding finding : findings) {
      text.item(Wording.severity(finding.severity()) + ": " + finding.text());
      finding.evidence().forEach(text::subItem);
      if (!finding.remedy().isEmpty()) {
        text.subItem("Remedy: " + finding.remedy());
      }
    }
  }
}
