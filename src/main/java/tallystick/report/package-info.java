/**
 * Takes: analyses, rules and comparisons.
 * <p>Gives: bytes for people and for machines.
 * <p>May use: scenario, plan, runrecord, promql, analysis.result, alerting,
 * experiment.fit, experiment.regress.
 * <p>Never: computes; opens the record.
 */
package tallystick.report;
