/**
 * Takes: analyses, answers and comparisons.
 * <p>Gives: bytes for people and for machines.
 * <p>May use: the rooms inside this one, answer, answer.words, answer.chart, scenario, plan,
 * runrecord, analysis.result.
 * <p>Never: computes; opens the record.
 */
package tallystick.report;
