/**
 * Takes: an analysis, a pair, a backtest, a lint, a fit.
 * <p>Gives: the first screen: verdict, trust, where, next.
 * <p>May use: report.words, report.document, report.section, report.writing, scenario,
 * promql, runrecord, analysis.result, alerting, experiment.fit.
 * <p>Never: takes more than 24 lines, or more columns than the terminal has.
 */
package tallystick.report.screen;
