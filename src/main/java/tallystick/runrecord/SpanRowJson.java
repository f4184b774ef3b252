package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** One line of traces.ndjson; what the engine did not tell is not written. */
final class SpanRowJson {
  private SpanRowJson() {}

  static void write(SpanRow row, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("trace_id", row.traceId().hex());
    out.writeStringField("span_id", row.spanId());
    seconds(out, "queue_seconds", row.queueSeconds());
    seconds(out, "prefill_seconds", row.prefillSeconds());
    seconds(out, "decode_seconds", row.decodeSeconds());
    seconds(out, "inference_seconds", row.inferenceSeconds());
    seconds(out, "ttft_seconds", row.ttftSeconds());
    seconds(out, "e2e_seconds", row.e2eSeconds());
    tokens(out, "prompt_tokens", row.promptTokens());
    tokens(out, "completion_tokens", row.completionTokens());
    out.writeEndObject();
  }

  static SpanRow read(JsonNode node) throws IOException {
    if (!node.has("trace_id")) {
      throw new IOException("a trace line needs a trace_id");
    }
    return new SpanRow(
        TraceId.ofHex(node.get("trace_id").asText()),
        node.path("span_id").asText(),
        node.path("queue_seconds").asDouble(Double.NaN),
        node.path("prefill_seconds").asDouble(Double.NaN),
        node.path("decode_seconds").asDouble(Double.NaN),
        node.path("inference_seconds").asDouble(Double.NaN),
        node.path("ttft_seconds").asDouble(Double.NaN),
        node.path("e2e_seconds").asDouble(Double.NaN),
        node.path("prompt_tokens").asInt(RequestRow.UNKNOWN),
        node.path("completion_tokens").asInt(RequestRow.UNKNOWN));
  }

  private static void seconds(JsonGenerator out, String name, double value) throws IOException {
    if (Double.isFinite(value)) {
      out.writeNumberField(name, value);
    }
  }

  private static void tokens(JsonGenerator out, String name, int value) throws IOException {
    if (value != RequestRow.UNKNOWN) {
      out.writeNumberField(name, value);
    }
  }
}
