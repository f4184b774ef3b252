/**
 * Takes: scrapes of what stands beside the engine: GPUs, hosts, gateways.
 * <p>Gives: their accounts, and the points between client and engine at which a time is known.
 * <p>May use: scenario, plan, runrecord, analysis.result, analysis.client,
 * analysis.engine.
 * <p>Never: takes a frozen or vanished exporter for an idle one.
 */
package tallystick.analysis.exporters;
