/**
 * Takes: options and words that commands of several rooms take.
 * <p>Gives: values of ours, or what is wrong with them.
 * <p>May use: reach, scenario, plan, runrecord, scrape, analysis.result, answer, alerting,
 * experiment, simengine, virtualrun.
 * <p>Never: knows which command takes them, or calls a stage.
 */
package tallystick.cli.option;
