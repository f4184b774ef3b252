/**
 * Takes: samples, counts and batches of time.
 * <p>Gives: percentiles, intervals, correlations, and the independent samples behind them.
 * <p>May use: analysis.result; Commons Math and HdrHistogram.
 * <p>Never: knows what a request, a scrape or an engine is.
 */
package tallystick.analysis.statistics;
