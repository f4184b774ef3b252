/**
 * Takes: the outcomes of a derivation.
 * <p>Gives: rule groups with evidence, their tests, and the same objective in other tools' formats.
 * <p>May use: scenario, plan, runrecord, promql, analysis.result, alerting.
 * <p>Never: emits a threshold without evidence; what was refused stands in the file as a comment.
 */
package tallystick.alerting.rules;
