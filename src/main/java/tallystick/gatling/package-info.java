/**
 * Takes: Gatling's injection of one user.
 * <p>Gives: one {@code RequestRow} for each request, and Gatling's own statistics.
 * <p>May use: plan, openai, runrecord; Gatling and Scala are used only here.
 * <p>Never: starts a request before its intended nanosecond.
 */
package tallystick.gatling;
