/**
 * Takes: words and meanings.
 * <p>Gives: HTML in which no stranger's text can begin a tag.
 * <p>May use: answer, scenario.
 * <p>Never: knows what a page is about.
 */
package tallystick.report.markup;
