/**
 * Takes: two periods of a run: both sides' sums for each scrape interval.
 * <p>Gives: how much each part of a wait grew, what else changed, and the causes that fit.
 * <p>May use: scenario, analysis.result, analysis.statistics, analysis.client, analysis.engine.
 * <p>Never: names a cause for a part that did not grow beyond its interval.
 */
package tallystick.analysis.change;
