/**
 * Takes: a run's analysis.
 * <p>Gives: the sections of their document.
 * <p>May use: answer, answer.words, report.markup, report.picture, scenario, runrecord,
 * analysis.result.
 * <p>Never: decides how a section is drawn.
 */
package tallystick.report.section;
