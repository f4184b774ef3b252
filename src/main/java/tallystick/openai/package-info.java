/**
 * Takes: one request.
 * <p>Gives: one streamed answer, each arrival stamped.
 * <p>May use: scenario, plan, runrecord; OkHttp, in a client apart from the scraper's.
 * <p>Never: retries, judges, logs.
 */
package tallystick.openai;
