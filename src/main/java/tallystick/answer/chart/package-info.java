/**
 * Takes: figures.
 * <p>Gives: what a chart shows.
 * <p>May use: answer.
 * <p>Never: draws.
 */
package tallystick.answer.chart;
