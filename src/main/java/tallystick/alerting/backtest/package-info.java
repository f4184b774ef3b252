/**
 * Takes: rule groups and recorded runs.
 * <p>Gives: when each alert would have fired, against when users suffered.
 * <p>May use: scenario, plan, runrecord, promql, analysis.statistics, answer,
 * alerting.derivation.
 * <p>Never: decides from the engine's figures when users suffered.
 */
package tallystick.alerting.backtest;
