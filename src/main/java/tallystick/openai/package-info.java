/**
 * Takes: one request.
 * <p>Gives: one streamed answer, each arrival stamped.
 * <p>May use: reach, scenario, plan, runrecord; OkHttp, in a client apart from the scraper's.
 * <p>Never: repeats a request that was answered, judges, logs.
 */
package tallystick.openai;
