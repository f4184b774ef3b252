/**
 * Takes: a plan and an engine's settings.
 * <p>Gives: a closed run record, as a real run writes it, played in virtual time.
 * <p>May use: scenario, plan, runrecord, simengine.
 * <p>Never: analyses, reads a clock, or calls a simulated figure measured.
 */
package tallystick.virtualrun;
