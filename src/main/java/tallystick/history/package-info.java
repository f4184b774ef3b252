/**
 * Takes: a folder of recorded runs.
 * <p>Gives: their figures in order of time, and where they changed their level.
 * <p>May use: scenario, runrecord, analysis.statistics, answer, answer.chart, answer.words,
 * experiment.regress.
 * <p>Never: puts runs of unlike machines, mixes or settings into one series.
 */
package tallystick.history;
