/**
 * Takes: scrapes of GPUs, hosts and gateways beside the engine.
 * <p>Gives: their figures, and the points between client and engine where a time is known.
 * <p>May use: scenario, plan, runrecord, analysis.result, analysis.client, analysis.engine.
 * <p>Never: takes a frozen or vanished exporter for an idle one.
 */
package tallystick.analysis.exporters;
