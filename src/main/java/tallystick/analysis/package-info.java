/**
 * Takes: a run record's rows.
 * <p>Gives: a {@link tallystick.analysis.RunAnalysis}.
 * <p>May use: scenario's and plan's words, runrecord; HdrHistogram and Commons Math.
 * <p>Never: opens a file or a connection, reads a clock, or prints a number the data cannot carry.
 */
package tallystick.analysis;
