/**
 * Takes: numbers with units, and the choices of a run.
 * <p>Gives: their words.
 * <p>May use: scenario, plan, runrecord, analysis.result.
 * <p>Never: knows where on a page a word stands.
 */
package tallystick.answer.words;
