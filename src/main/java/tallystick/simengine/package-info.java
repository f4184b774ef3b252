/**
 * Takes: requests over HTTP or in virtual time.
 * <p>Gives: the tokens and the metrics that a vLLM V1 engine would give.
 * <p>May use: no other room; Vert.x is used only here.
 * <p>Never: counts anything outside its scheduler's events.
 */
package tallystick.simengine;
