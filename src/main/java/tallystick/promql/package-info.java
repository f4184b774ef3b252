/**
 * Takes: recorded samples of an engine's exposition, PromQL expressions and rule groups.
 * <p>Gives: what a Prometheus 2.42 or 3.x would have shown and fired, had it scraped them.
 * <p>May use: scenario, runrecord.
 * <p>Never: opens a file, reads a clock, or answers an expression it does not understand.
 */
package tallystick.promql;
