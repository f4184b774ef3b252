package tallystick.report;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.Reconciliation;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.TestCase;
import tallystick.answer.words.Wording;
import tallystick.report.section.ObjectiveSection;

/**
 * The objectives and the trust in the measurement as test cases. A violated
 * objective is a failure, a measurement that cannot be trusted an error, what cannot be told is
 * skipped with its reason and never passes.
 */
final class RunCases {
  private RunCases() {}

  /** The claims of a run. */
  static List<TestCase> cases(RunAnalysis analysis) {
    List<TestCase> cases = new ArrayList<>();
    cases.add(record(analysis));
    cases.add(ledger(analysis.reconciliation()));
    if (analysis.steps().isEmpty()) {
      analysis.objectives().forEach(result -> cases.add(objective("", result)));
    } else {
      analysis.phases().forEach(phase -> phase.objectives().forEach(
          result -> cases.add(objective("phase " + phase.phase() + ": ", result))));
    }
    return cases;
  }

  private static TestCase record(RunAnalysis analysis) {
    List<String> invalidity = Wording.invalidity(analysis);
    String state = Wording.stateSentence(analysis.run());
    String trouble = invalidity.isEmpty() ? state : String.join(" ", invalidity);
    return new TestCase(
        "measurement",
        "the record is complete and the measurement valid",
        trouble.isEmpty() ? TestCase.Result.PASSED : TestCase.Result.ERROR,
        trouble);
  }

  private static TestCase ledger(Reconciliation ledger) {
    TestCase.Result outcome =
        switch (ledger.verdict()) {
          case RECONCILED, RECONCILED_WITH_TOLERANCE -> TestCase.Result.PASSED;
          case NOT_RECONCILED -> TestCase.Result.ERROR;
          case RECONCILED_IN_PART, NOT_CHECKED -> TestCase.Result.SKIPPED;
        };
    String text =
        outcome == TestCase.Result.PASSED ? "" : Wording.verdictSentence(ledger.verdict());
    return new TestCase("measurement", "client and engine counted the same", outcome, text);
  }

  private static TestCase objective(String where, ObjectiveResult result) {
    TestCase.Result outcome =
        result.judgement().isMet()
            ? TestCase.Result.PASSED
            : result.judgement().isMissed()
                ? TestCase.Result.FAILURE
                : TestCase.Result.SKIPPED;
    String text = result.judgement().words() + ": " + ObjectiveSection.result(result);
    return new TestCase("objectives", where + Wording.objective(result.objective()), outcome, text);
  }
}
