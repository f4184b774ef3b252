/**
 * Takes: Gatling's injection of one user.
 * <p>Gives: one {@code RequestRow} for each request, and Gatling's own statistics.
 * <p>May use: scenario, plan, openai, runrecord; Scala is used only here, Gatling in the
 * journeys as well.
 * <p>Never: starts a request before its intended nanosecond.
 */
package tallystick.gatling;
