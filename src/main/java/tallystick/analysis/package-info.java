/**
 * Takes: a run record's rows.
 * <p>Gives: a {@link tallystick.analysis.result.RunAnalysis}.
 * <p>May use: scenario, plan, runrecord, and the rooms inside this one.
 * <p>Never: opens a file or a connection, reads a clock, or prints a number the data cannot carry.
 */
package tallystick.analysis;
