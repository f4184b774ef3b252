/**
 * Takes: words, marks, tables, pictures.
 * <p>Gives: a document: what is said, apart from how it is drawn.
 * <p>May use: report.words, scenario, analysis.result.
 * <p>Never: knows what the document is about; writes a file.
 */
package tallystick.report.document;
