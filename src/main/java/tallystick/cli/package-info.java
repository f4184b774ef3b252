/**
 * Takes: the user's words on the command line.
 * <p>Gives: stages called in order, and an exit code.
 * <p>May use: scenario, plan, reach, runrecord, scrape, run, promql, analysis, alerting, report,
 * export, simengine, virtualrun, experiment, history, shards, launch; picocli is used only here.
 * <p>Never: computes a figure or does another room's work.
 */
package tallystick.cli;
