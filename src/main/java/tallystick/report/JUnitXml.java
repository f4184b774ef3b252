package tallystick.report;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.report.JUnitSuite.Case;
import tallystick.report.JUnitSuite.Outcome;
import tallystick.report.section.ObjectiveSection;
import tallystick.report.words.Wording;

/**
 * {@code junit.xml}: the objectives and the trust in the measurement as test cases. A violated
 * objective is a failure, a measurement that cannot be trusted an error, what cannot be told is
 * skipped with its reason and never passes.
 */
final class JUnitXml {
  private JUnitXml() {}

  /**
   * Writes the whole file; the caller closes the stream.
   *
   * @throws IOException if the stream does not take it
   */
  static void write(RunAnalysis analysis, OutputStream out) throws IOException {
    List<Case> cases = new ArrayList<>();
    cases.add(record(analysis));
    cases.add(ledger(analysis.reconciliation()));
    analysis.objectives().forEach(result -> cases.add(objective(result)));
    RunAnalysis.RunFacts run = analysis.run();
    new JUnitSuite(
            run.scenario() + " (" + Wording.engine(run.source()) + ")", run.startedUtc(),
            run.windowSeconds(), cases)
        .write(out);
  }

  private static Case record(RunAnalysis analysis) {
    List<String> invalidity = Wording.invalidity(analysis);
    String state = Wording.stateSentence(analysis.run());
    String trouble = invalidity.isEmpty() ? state : String.join(" ", invalidity);
    return new Case(
        "measurement",
        "the record is complete and the measurement valid",
        trouble.isEmpty() ? Outcome.PASSED : Outcome.ERROR,
        trouble);
  }

  private static Case ledger(Reconciliation ledger) {
    Outcome outcome =
        switch (ledger.verdict()) {
          case RECONCILED, RECONCILED_WITH_TOLERANCE -> Outcome.PASSED;
          case NOT_RECONCILED -> Outcome.ERROR;
          case RECONCILED_IN_PART, NOT_CHECKED -> Outcome.SKIPPED;
        };
    String text = outcome == Outcome.PASSED ? "" : Wording.verdictSentence(ledger.verdict());
    return new Case("measurement", "client and engine counted the same", outcome, text);
  }

  private static Case objective(ObjectiveResult result) {
    Outcome outcome =
        switch (result.verdict()) {
          case MET -> Outcome.PASSED;
          case VIOLATED -> Outcome.FAILURE;
          case NOT_PROVEN -> Outcome.SKIPPED;
        };
    String text = result.verdict().words() + ": " + ObjectiveSection.result(result);
    return new Case("objectives", Wording.objective(result.objective()), outcome, text);
  }
}
