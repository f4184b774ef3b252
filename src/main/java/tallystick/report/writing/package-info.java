/**
 * Takes: a document.
 * <p>Gives: its text for a terminal, as Markdown and as a page.
 * <p>May use: answer, answer.chart, report.markup, report.picture, scenario.
 * <p>Never: knows what the document is about.
 */
package tallystick.report.writing;
