/**
 * Takes: runs of two sides, recorded or still to be played.
 * <p>Gives: a verdict from repeats: passed, regressed or not proven, and where the change lies.
 * <p>May use: experiment, scenario, plan, runrecord, analysis, answer, answer.chart,
 * answer.words.
 * <p>Never: counts requests of one run as repeats, or lets unlike runs be compared.
 */
package tallystick.experiment.regress;
