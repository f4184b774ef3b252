/**
 * Takes: tables of windows, the engine's signals beside the client's labels.
 * <p>Gives: thresholds with their evidence, or refusals with the number that is missing.
 * <p>May use: scenario, plan, runrecord, promql, alerting, analysis.result,
 * analysis.statistics, and the judge of a request in analysis.client; Commons Math.
 * <p>Never: labels a window by what the engine says, or judges a fit on its own windows.
 */
package tallystick.alerting.derivation;
