/**
 * Takes: analyses.
 * <p>Gives: alert rules with evidence, or refusals with the number that is missing.
 * <p>May use: scenario, answer, promql, analysis.result; YAML of rule files is read only here.
 * <p>Never: emits a threshold without evidence.
 */
package tallystick.alerting;
