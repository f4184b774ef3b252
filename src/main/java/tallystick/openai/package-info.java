/**
 * Takes: one request.
 * <p>Gives: one streamed answer, each arrival stamped.
 * <p>May use: scenario, plan, runrecord; OkHttp is used only here.
 * <p>Never: retries, judges, logs.
 */
package tallystick.openai;
