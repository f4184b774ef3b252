package tallystick.analysis;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Row;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.analysis.result.Reconciliation.Verdict;

/** Whether the ledger's rows, and the window they were taken over, carry an agreement. */
final class LedgerVerdict {
  private static final Set<Id> ESSENTIAL =
      EnumSet.of(Id.R1, Id.R2, Id.R3, Id.R4, Id.R10, Id.R11, Id.R12);

  private LedgerVerdict() {}

  /**
   * The verdict.
   *
   * @param windowFaults why the ledger's window is not closed; empty if it is
   */
  static Verdict of(List<Row> rows, List<Finding> windowFaults) {
    if (rows.isEmpty() || rows.stream().allMatch(row -> row.status() == Status.NOT_CHECKED)) {
      return Verdict.NOT_CHECKED;
    }
    if (!windowFaults.isEmpty() || rows.stream().anyMatch(row -> row.status() == Status.DIFFERS)) {
      return Verdict.NOT_RECONCILED;
    }
    if (rows.stream().anyMatch(LedgerVerdict::lacksASide)) {
      return Verdict.RECONCILED_IN_PART;
    }
    boolean everyEssentialExact =
        rows.stream()
            .filter(row -> ESSENTIAL.contains(row.id()))
            .allMatch(row -> row.status() == Status.EXACT);
    boolean toleranceUsed =
        rows.stream()
            .filter(row -> row.id() != Id.R5)
            .anyMatch(row -> row.status() == Status.WITHIN_TOLERANCE);
    // R5 below zero means several tokens in a step: a fact about the engine, no disagreement.
    return everyEssentialExact && !toleranceUsed
        ? Verdict.RECONCILED
        : Verdict.RECONCILED_WITH_TOLERANCE;
  }

  /** Not exposed by the engine, or not told to the client: nobody can say that it agrees. */
  private static boolean lacksASide(Row row) {
    return ESSENTIAL.contains(row.id())
        && !(row.client() instanceof Figure.Known && row.engine() instanceof Figure.Known);
  }
}
