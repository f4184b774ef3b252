/**
 * Takes: the client's rows: requests and the harness's own health.
 * <p>Gives: the client's account: latencies, counts, outcomes, objectives, and the measured window.
 * <p>May use: scenario, plan, runrecord, analysis.result, analysis.statistics.
 * <p>Never: looks at a scrape.
 */
package tallystick.analysis.client;
