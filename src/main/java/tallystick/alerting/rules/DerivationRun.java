package tallystick.alerting.rules;

import tallystick.alerting.derivation.RisingLoad;
import tallystick.runrecord.RunRows;

/**
 * One run to derive from.
 *
 * @param rows its record
 * @param reconciled whether its ledger closed and its client kept up
 * @param mix name of its traffic mix; runs of one mix share it
 */
public record DerivationRun(RunRows rows, boolean reconciled, String mix) {

  /** A run whose mix is its label {@code mix}, or else its scenario. */
  public static DerivationRun of(RunRows rows, boolean reconciled) {
    String mix = rows.manifest().labels().getOrDefault("mix", rows.manifest().scenario());
    return new DerivationRun(rows, reconciled, mix);
  }

  /** Whether its load rises slowly: lead times are measured on it, and nothing is derived. */
  boolean isRamp() {
    return RisingLoad.isIn(rows);
  }
}
