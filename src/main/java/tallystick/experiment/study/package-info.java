/**
 * Takes: a scenario with objectives, and a bench.
 * <p>Gives: alert thresholds from as few runs as they need, or what is still missing.
 * <p>May use: experiment, scenario, plan, runrecord, analysis, alerting, answer.
 * <p>Never: runs what nobody misses, or says earned without runs left out.
 */
package tallystick.experiment.study;
