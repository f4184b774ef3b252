/**
 * Takes: what an experiment asks for, and where its runs are played.
 * <p>Gives: a bench for its runs, and its answer with an exit code.
 * <p>May use: cli.option, cli.exit, cli.terminal, cli.run, cli.alerting, reach, scenario, plan,
 * runrecord, scrape, run, analysis, alerting, answer, report, experiment, simengine, virtualrun.
 * <p>Never: decides which run comes next.
 */
package tallystick.cli.experiment;
