/**
 * Takes: a scenario and an engine to try it on.
 * <p>Gives: runs planned one after another, their journal, and a decision with its evidence.
 * <p>May use: scenario, plan, runrecord, analysis.
 * <p>Never: takes "cannot tell" for "yes", or one run's requests for fresh runs.
 */
package tallystick.experiment;
