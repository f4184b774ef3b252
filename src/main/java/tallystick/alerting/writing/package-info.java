/**
 * Takes: rules, their tests and the thresholds they rest on.
 * <p>Gives: the text of each file that Prometheus, Grafana, Alertmanager and SLO tools read.
 * <p>May use: scenario, runrecord, promql, alerting.
 * <p>Never: decides anything; what was refused stands in the file as a comment.
 */
package tallystick.alerting.writing;
