/**
 * Takes: recorded runs and the rules derived from them.
 * <p>Gives: how the alerts did on runs and mixes left out, on ramps, and what they promised.
 * <p>May use: plan, runrecord, scenario, promql, analysis.result,
 * answer, answer.words, answer.chart, alerting, alerting.derivation, alerting.backtest,
 * alerting.rules.
 * <p>Never: writes a file, or judges an alert by what the engine says of its users.
 */
package tallystick.alerting.review;
