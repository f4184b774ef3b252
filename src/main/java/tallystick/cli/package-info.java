/**
 * Takes: the user's words on the command line.
 * <p>Gives: the command that they name, called; commands that stand alone are here, too.
 * <p>May use: cli.option, cli.exit, cli.terminal, cli.help, cli.run, cli.launch, cli.alerting,
 * cli.experiment, scenario, plan, reach, runrecord, scrape, run, analysis, report, export,
 * simengine, answer, experiment, history; picocli is used only here and in the rooms inside.
 * <p>Never: computes a figure or does another room's work.
 */
package tallystick.cli;
