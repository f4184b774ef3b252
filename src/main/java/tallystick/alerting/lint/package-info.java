/**
 * Takes: files of rules and of dashboards and, where there is one, what a target exposes.
 * <p>Gives: findings with file, line, reason and corrected expression.
 * <p>May use: scenario, runrecord, promql, analysis.result, alerting, answer.
 * <p>Never: guesses about an expression it does not understand; it says so.
 */
package tallystick.alerting.lint;
