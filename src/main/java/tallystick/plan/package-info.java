/**
 * Takes: a {@code Scenario} and a seed.
 * <p>Gives: a {@link tallystick.plan.Plan}: every start and every request, resolved.
 * <p>May use: scenario.
 * <p>Never: reads a clock, opens a connection or a file.
 */
package tallystick.plan;
