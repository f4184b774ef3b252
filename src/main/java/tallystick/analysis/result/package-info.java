/**
 * Takes: what the analysis found.
 * <p>Gives: immutable results. Other rooms see these and {@code Analyzer}, and no more of analysis.
 * <p>May use: scenario, runrecord.
 * <p>Never: computes a figure from rows.
 */
package tallystick.analysis.result;
