/**
 * Takes: what was decided, in sentences, tables, marks, figures and charts.
 * <p>Gives: an {@link tallystick.answer.Answer}: what is said, apart from how it is written.
 * <p>May use: answer.words, scenario, analysis.result.
 * <p>Never: knows a decision; knows a writer; writes a file.
 */
package tallystick.answer;
