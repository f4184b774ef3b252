/**
 * Takes: a document.
 * <p>Gives: its text for a terminal, as Markdown and as a page.
 * <p>May use: report.document, scenario.
 * <p>Never: knows what the document is about.
 */
package tallystick.report.writing;
