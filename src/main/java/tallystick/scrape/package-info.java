/**
 * Takes: a metrics URL.
 * <p>Gives: {@code ScrapeRow}s without loss, and the engine's quiet.
 * <p>May use: reach, scenario, runrecord; OkHttp, in a client apart from the load's.
 * <p>Never: interpolates, fills a hole, drops a family it does not know.
 */
package tallystick.scrape;
