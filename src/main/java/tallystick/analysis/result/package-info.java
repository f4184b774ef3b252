/**
 * Takes: what the analysis found.
 * <p>Gives: immutable results; with {@code Analyzer} all of analysis that other rooms see.
 * <p>May use: scenario, runrecord.
 * <p>Never: computes a figure from rows.
 */
package tallystick.analysis.result;
