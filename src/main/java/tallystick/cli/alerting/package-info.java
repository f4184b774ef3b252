/**
 * Takes: rule files, objectives, recorded runs.
 * <p>Gives: rules derived from runs, replayed over them, or searched for defects.
 * <p>May use: cli.option, cli.exit, cli.terminal, cli.run, reach, scenario, plan, runrecord,
 * scrape, promql, analysis, answer, alerting, report.
 * <p>Never: plays a run.
 */
package tallystick.cli.alerting;
