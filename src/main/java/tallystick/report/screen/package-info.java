/**
 * Takes: an analysis, a pair, an answer.
 * <p>Gives: the first screen: verdict, trust, where, next.
 * <p>May use: answer, answer.words, report.markup, report.section, report.writing, scenario,
 * runrecord, analysis.result.
 * <p>Never: takes more than 24 lines, or more columns than the terminal has.
 */
package tallystick.report.screen;
