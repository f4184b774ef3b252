/**
 * Takes: OpenTelemetry posts of an engine.
 * <p>Gives: {@code SpanRow}s, one for each request the engine finished.
 * <p>May use: runrecord; OpenTelemetry's and Protocol Buffers' classes are used only here.
 * <p>Never: joins, averages, or keeps a span in memory.
 */
package tallystick.tracing;
