package tallystick.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.scenario.PlainText;

/**
 * {@code junit.xml}: the objectives and the trust in the measurement as test cases. A violated
 * objective is a failure, a measurement that cannot be trusted an error, what cannot be told is
 * skipped with its reason and never passes.
 */
public final class JUnitXml implements ReportFormat {

  @Override
  public String fileName() {
    return "junit.xml";
  }

  @Override
  public void write(RunAnalysis analysis, OutputStream out) throws IOException {
    Markup cases = new Markup();
    Tally tally = new Tally();
    record(cases, tally, analysis);
    ledger(cases, tally, analysis.reconciliation());
    analysis.objectives().forEach(result -> objective(cases, tally, result));
    RunAnalysis.RunFacts run = analysis.run();
    Markup xml = new Markup();
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"")
        .text(PlainText.oneLine(run.scenario() + " (" + Wording.engine(run.source()) + ")"))
        .raw("\" tests=\"" + tally.tests + "\" failures=\"" + tally.failures + "\" errors=\"")
        .raw(tally.errors + "\" skipped=\"" + tally.skipped + "\" timestamp=\"")
        .text(run.startedUtc().replace("Z", ""))
        .raw("\" time=\"" + String.format(Locale.ROOT, "%.3f", run.windowSeconds()) + "\">\n")
        .raw(cases.toString())
        .raw("</testsuite>\n");
    out.write(xml.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Numbers the head of the file repeats. */
  private static final class Tally {
    private int tests;
    private int failures;
    private int errors;
    private int skipped;
  }

  private static void record(Markup xml, Tally tally, RunAnalysis analysis) {
    List<Finding> grave =
        analysis.findings().stream()
            .filter(finding -> finding.severity() == Finding.Severity.INVALID)
            .toList();
    String state = Wording.stateSentence(analysis.run());
    String trouble =
        grave.isEmpty() ? state : String.join(" ", grave.stream().map(Finding::text).toList());
    open(xml, tally, "measurement", "the record is complete and the measurement valid");
    if (!trouble.isEmpty()) {
      tally.errors++;
      problem(xml, "error", trouble);
    }
    xml.raw("</testcase>\n");
  }

  private static void ledger(Markup xml, Tally tally, Reconciliation ledger) {
    open(xml, tally, "measurement", "client and engine counted the same");
    switch (ledger.verdict()) {
      case RECONCILED, RECONCILED_WITH_TOLERANCE -> { }
      case NOT_RECONCILED -> {
        tally.errors++;
        problem(xml, "error", Wording.verdictSentence(ledger.verdict()));
      }
      case RECONCILED_IN_PART, NOT_CHECKED -> {
        tally.skipped++;
        problem(xml, "skipped", Wording.verdictSentence(ledger.verdict()));
      }
    }
    xml.raw("</testcase>\n");
  }

  private static void objective(Markup xml, Tally tally, ObjectiveResult result) {
    open(xml, tally, "objectives", Wording.objective(result.objective()));
    String text = result.verdict().words() + ": " + ObjectiveText.result(result);
    switch (result.verdict()) {
      case MET -> xml.raw("<system-out>").text(text).raw("</system-out>");
      case VIOLATED -> {
        tally.failures++;
        problem(xml, "failure", text);
      }
      case NOT_PROVEN -> {
        tally.skipped++;
        problem(xml, "skipped", text);
      }
    }
    xml.raw("</testcase>\n");
  }

  private static void open(Markup xml, Tally tally, String group, String name) {
    tally.tests++;
    xml.raw("<testcase classname=\"" + group + "\" name=\"")
        .text(PlainText.oneLine(name))
        .raw("\">");
  }

  private static void problem(Markup xml, String kind, String text) {
    xml.raw("<" + kind + " message=\"").text(PlainText.oneLine(text)).raw("\"/>");
  }
}
