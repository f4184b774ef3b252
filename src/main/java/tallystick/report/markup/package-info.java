/**
 * Takes: words and meanings.
 * <p>Gives: HTML that escapes all text from outside.
 * <p>May use: answer, answer.words, scenario.
 * <p>Never: knows what a page is about.
 */
package tallystick.report.markup;
