/**
 * Takes: a scenario or the record of a run.
 * <p>Gives: one run, sent or simulated or joined from shards, with its report.
 * <p>May use: cli.option, cli.exit, cli.terminal, reach, scenario, plan, runrecord, scrape,
 * run, analysis, answer, alerting, report, experiment, simengine, virtualrun, shards.
 * <p>Never: decides what is run next.
 */
package tallystick.cli.run;
