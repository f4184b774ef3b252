/**
 * Takes: rules with their evidence, and what a Prometheus remembers.
 * <p>Gives: which alert fired and whether users suffered, and whether thresholds still fit.
 * <p>May use: scenario, runrecord, promql, analysis.result, answer, answer.words,
 * answer.chart, alerting, alerting.derivation, alerting.backtest, alerting.rules.
 * <p>Never: opens a connection, or evaluates an expression.
 */
package tallystick.alerting.watch;
