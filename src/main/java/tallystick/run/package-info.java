/**
 * Takes: a plan.
 * <p>Gives: a closed run record.
 * <p>May use: scenario, plan, reach, runrecord, scrape, tracing, live, openai, gatling, and the
 * journeys in simulations.
 * <p>Never: analyses.
 */
package tallystick.run;
