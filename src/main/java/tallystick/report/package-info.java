/**
 * Takes: analyses, rules and comparisons.
 * <p>Gives: bytes for people and for machines.
 * <p>May use: the rooms inside this one, scenario, plan, runrecord, analysis.result, alerting,
 * experiment, experiment.capacity, experiment.regress, experiment.tune, history.
 * <p>Never: computes; opens the record.
 */
package tallystick.report;
