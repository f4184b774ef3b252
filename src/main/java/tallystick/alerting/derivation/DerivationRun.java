package tallystick.alerting.derivation;

import tallystick.analysis.result.Finding;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.RunRows;

/**
 * One run to derive from.
 *
 * @param rows its record
 * @param reconciled whether its ledger closed and its client kept up
 * @param mix name of its traffic mix; runs of one mix share it
 * @param moved whether it met another engine than the others: it says nothing about load
 */
public record DerivationRun(RunRows rows, boolean reconciled, String mix, boolean moved) {

  /** A run whose mix is its label {@code mix}, or else its scenario. */
  public static DerivationRun of(RunRows rows, boolean reconciled) {
    String mix = rows.manifest().labels().getOrDefault("mix", rows.manifest().scenario());
    return new DerivationRun(rows, reconciled, mix, false);
  }

  /** A run as its analysis judges it: an invalid one counts as unreconciled. */
  public static DerivationRun of(RunRows rows, RunAnalysis analysis) {
    return of(rows, isTrusted(analysis));
  }

  private static boolean isTrusted(RunAnalysis analysis) {
    boolean invalid =
        analysis.findings().stream()
            .anyMatch(finding -> finding.severity() == Finding.Severity.INVALID);
    return !invalid
        && switch (analysis.reconciliation().verdict()) {
          case RECONCILED, RECONCILED_WITH_TOLERANCE -> true;
          case RECONCILED_IN_PART, NOT_RECONCILED, NOT_CHECKED -> false;
        };
  }

  /** Whether its load rises slowly: lead times are measured on it, and nothing is derived. */
  public boolean isRamp() {
    return RisingLoad.isIn(rows);
  }
}
