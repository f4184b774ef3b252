/**
 * Takes: plans of runs, and a bench to play them on.
 * <p>Gives: what every experiment has: its loop, its journal, its budget, its seeds, its screen.
 * <p>May use: scenario, plan, runrecord, analysis, answer.
 * <p>Never: knows which question an experiment asks.
 */
package tallystick.experiment;
