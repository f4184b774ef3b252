/**
 * Takes: a scenario with objectives, and a bench.
 * <p>Gives: the largest rate at which the objectives hold together, certified by fresh runs.
 * <p>May use: experiment, scenario, plan, runrecord, analysis, answer.
 * <p>Never: takes "cannot tell" for "yes", or one run's requests for fresh runs.
 */
package tallystick.experiment.capacity;
