/**
 * Takes: a run record.
 * <p>Gives: the same rows for other tools: OpenMetrics for a Prometheus, CSV and Parquet tables.
 * <p>May use: scenario, plan, runrecord; Parquet and Hadoop are used only here.
 * <p>Never: judges, smooths or fills a hole. A figure here is a count or a recorded value.
 */
package tallystick.export;
