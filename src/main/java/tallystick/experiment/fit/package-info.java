/**
 * Takes: records of runs on one engine.
 * <p>Gives: what each part of an engine step and of the API server costs, with an interval, or
 * which load would tell.
 * <p>May use: scenario, runrecord, analysis, answer, answer.words.
 * <p>Never: gives a cost that the runs do not hold as if they did.
 */
package tallystick.experiment.fit;
