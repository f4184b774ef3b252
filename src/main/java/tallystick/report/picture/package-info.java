/**
 * Takes: series, distributions and the times alerts fired.
 * <p>Gives: their pictures, as SVG.
 * <p>May use: report.words, report.document, scenario, plan, promql, analysis.result,
 * alerting.backtest, alerting.derivation, alerting.review.
 * <p>Never: smooths; leaves out an extreme.
 */
package tallystick.report.picture;
