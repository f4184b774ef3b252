package tallystick.alerting.derivation;

import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.runrecord.RunRows;

/**
 * One run to derive from.
 *
 * @param rows its record
 * @param usable whether its figures may carry a verdict
 * @param mix name of its traffic mix; runs of one mix share it
 * @param moved whether it met another engine than the others: it says nothing about load
 */
public record DerivationRun(RunRows rows, boolean usable, String mix, boolean moved) {

  /** A run whose mix is its label {@code mix}, or else its scenario. */
  public static DerivationRun of(RunRows rows, boolean usable) {
    String mix = rows.manifest().labels().getOrDefault("mix", rows.manifest().scenario());
    return new DerivationRun(rows, usable, mix, false);
  }

  /** A run as its analysis judges it. */
  public static DerivationRun of(RunRows rows, RunAnalysis analysis) {
    return of(rows, Usability.of(analysis).isForLatencies());
  }

  /** Whether its load rises slowly: lead times are measured on it, and nothing is derived. */
  public boolean isRamp() {
    return RisingLoad.isIn(rows);
  }
}
