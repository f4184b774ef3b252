/**
 * Takes: two periods of a run, both sides' sums per scrape interval.
 * <p>Gives: what each part of a wait gained, what else changed, and the causes that explain it.
 * <p>May use: analysis.result, analysis.statistics, analysis.client,
 * analysis.engine.
 * <p>Never: names a cause for a part that did not grow beyond its interval.
 */
package tallystick.analysis.change;
