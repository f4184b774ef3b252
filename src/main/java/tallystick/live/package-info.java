/**
 * Takes: rows and counts while a run goes on.
 * <p>Gives: the client's metrics to a Prometheus that asks, and to a collector of OpenTelemetry.
 * <p>May use: runrecord; the Prometheus library is used only here.
 * <p>Never: holds the load up, or decides anything about it.
 */
package tallystick.live;
