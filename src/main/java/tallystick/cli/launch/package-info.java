/**
 * Takes: a scenario and a cluster.
 * <p>Gives: the files that the cluster runs, and an order to its own client.
 * <p>May use: cli.option, cli.exit, reach, scenario, plan, runrecord, launch, report.
 * <p>Never: sends load itself.
 */
package tallystick.cli.launch;
