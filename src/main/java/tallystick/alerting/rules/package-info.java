/**
 * Takes: the outcomes of a derivation.
 * <p>Gives: rules as records: recordings, alerts with evidence and promises, refusals.
 * <p>May use: scenario, runrecord, promql, alerting, alerting.derivation.
 * <p>Never: holds a threshold without evidence, reads a run, or writes a file.
 */
package tallystick.alerting.rules;
