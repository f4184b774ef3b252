/**
 * Takes: scrapes of the engine.
 * <p>Gives: the engine's account: growth of counters and histograms, gauges, replicas, clock.
 * <p>May use: scenario, plan, runrecord, analysis.result, analysis.statistics, analysis.client.
 * <p>Never: fills a hole or interpolates a percentile.
 */
package tallystick.analysis.engine;
