package tallystick.tracing;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.SpanRow;
import tallystick.runrecord.TraceId;

/** Finds the spans of requests in an OTLP post. Names are those of vLLM 0.32. */
final class SpanReader {
  /** vLLM sends spans of its start-up too; only this one tells of a request. */
  private static final String REQUEST_SPAN = "llm_request";

  private static final String LATENCY = "gen_ai.latency.";
  private static final String USAGE = "gen_ai.usage.";
  private static final int TRACE_ID_BYTES = 16;
  private static final int SPAN_ID_BYTES = 8;

  private SpanReader() {}

  /**
   * What a post holds.
   *
   * @param rows spans of requests
   * @param malformed spans of requests without proper ids
   */
  record Spans(List<SpanRow> rows, long malformed) {}

  static Spans read(ExportTraceServiceRequest post) {
    Map<Boolean, List<Span>> byIds =
        post.getResourceSpansList().stream()
            .flatMap(resource -> resource.getScopeSpansList().stream())
            .flatMap(scope -> scope.getSpansList().stream())
            .filter(span -> span.getName().equals(REQUEST_SPAN))
            .collect(Collectors.partitioningBy(SpanReader::hasIds));
    return new Spans(
        byIds.get(true).stream().map(SpanReader::row).toList(), byIds.get(false).size());
  }

  /** Loads the classes of the format, which costs processor time, before there is any load. */
  static void warmUp() {
    Span.Builder span =
        Span.newBuilder()
            .setTraceId(ByteString.copyFrom(new byte[TRACE_ID_BYTES]))
            .setSpanId(ByteString.copyFrom(new byte[SPAN_ID_BYTES]))
            .setName(REQUEST_SPAN)
            .addAttributes(
                KeyValue.newBuilder()
                    .setKey(LATENCY)
                    .setValue(AnyValue.newBuilder().setDoubleValue(0)));
    ExportTraceServiceRequest post =
        ExportTraceServiceRequest.newBuilder()
            .addResourceSpans(
                ResourceSpans.newBuilder().addScopeSpans(ScopeSpans.newBuilder().addSpans(span)))
            .build();
    try {
      read(ExportTraceServiceRequest.parseFrom(post.toByteArray()));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the library does not read what it wrote", e);
    }
  }

  private static boolean hasIds(Span span) {
    return span.getTraceId().size() == TRACE_ID_BYTES && span.getSpanId().size() == SPAN_ID_BYTES;
  }

  private static SpanRow row(Span span) {
    Map<String, AnyValue> values = new HashMap<>();
    for (KeyValue attribute : span.getAttributesList()) {
      values.put(attribute.getKey(), attribute.getValue());
    }
    return new SpanRow(
        TraceId.ofHex(hex(span.getTraceId())),
        hex(span.getSpanId()),
        number(values, LATENCY + "time_in_queue"),
        number(values, LATENCY + "time_in_model_prefill"),
        number(values, LATENCY + "time_in_model_decode"),
        number(values, LATENCY + "time_in_model_inference"),
        number(values, LATENCY + "time_to_first_token"),
        number(values, LATENCY + "e2e"),
        count(values, USAGE + "prompt_tokens"),
        count(values, USAGE + "completion_tokens"));
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private static double number(Map<String, AnyValue> values, String name) {
    AnyValue value = values.getOrDefault(name, AnyValue.getDefaultInstance());
    return switch (value.getValueCase()) {
      case DOUBLE_VALUE -> value.getDoubleValue();
      case INT_VALUE -> value.getIntValue();
      default -> Double.NaN;
    };
  }

  private static int count(Map<String, AnyValue> values, String name) {
    double value = number(values, name);
    boolean isCount = value >= 0 && value <= Integer.MAX_VALUE && value == Math.rint(value);
    return isCount ? (int) value : RequestRow.UNKNOWN;
  }
}
