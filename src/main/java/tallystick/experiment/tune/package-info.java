/**
 * Takes: a scenario with objectives, engine flags with the values to try, and benches by settings.
 * <p>Gives: the settings none is better than, and a recommendation that fresh pairs confirmed.
 * <p>May use: experiment, experiment.regress, scenario, plan, runrecord, analysis.result, answer.
 * <p>Never: counts requests of one run as repeats, or recommends what only looked best.
 */
package tallystick.experiment.tune;
