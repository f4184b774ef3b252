/**
 * Takes: analyses and rules.
 * <p>Gives: bytes for people and for machines.
 * <p>May use: scenario, plan, runrecord, promql, analysis.result, alerting.
 * <p>Never: computes; opens the record.
 */
package tallystick.report;
