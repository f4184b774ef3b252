/**
 * Takes: series, distributions and the times alerts fired.
 * <p>Gives: their pictures, as SVG.
 * <p>May use: answer, answer.words, answer.chart, report.markup, scenario, analysis.result.
 * <p>Never: smooths; leaves out an extreme.
 */
package tallystick.report.picture;
