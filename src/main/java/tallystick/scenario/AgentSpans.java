package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * OpenTelemetry's GenAI spans, as its collector writes them into a file, made into rows: a call of
 * a model is a row, and the agent that makes it is its session. A sub-agent is a session of its
 * own. Agents that no other calls are one session if they tell the same conversation.
 *
 * <p>Source: opentelemetry.io/docs/specs/semconv/gen-ai, read 2026-11-29.
 */
final class AgentSpans implements DataFile.Rows {
  private static final Set<String> CALLS = Set.of("chat", "text_completion", "generate_content");
  private static final String AGENT = "invoke_agent";
  private static final String OPERATION = "gen_ai.operation.name";
  private static final String CONVERSATION = "gen_ai.conversation.id";

  private static final JsonNode NONE = JsonNodeFactory.instance.arrayNode();

  private final DataFile.Rows rows;
  private final Map<String, Span> spans = new HashMap<>();

  AgentSpans(DataFile.Rows rows) {
    this.rows = rows;
  }

  /** A span of one trace; its ids hold the trace's. */
  private record Span(
      String id, String parent, String trace, long startNanos, long endNanos,
      Map<String, JsonNode> attributes, SourceLocation origin) {
    String text(String name) {
      return attributes.containsKey(name) ? attributes.get(name).asText() : "";
    }
  }

  @Override
  public boolean take(DataRow row) {
    for (JsonNode resource : row.values().getOrDefault("resourceSpans", NONE)) {
      for (JsonNode scope : resource.path("scopeSpans")) {
        scope.path("spans").forEach(span -> add(span, row.origin()));
      }
    }
    if (spans.size() > Dataset.MOST_ENTRIES) {
      throw row.origin().error(
          "more than " + Dataset.MOST_ENTRIES + " spans", "split the file");
    }
    return true;
  }

  private void add(JsonNode span, SourceLocation origin) {
    Map<String, JsonNode> attributes = new HashMap<>();
    for (JsonNode attribute : span.path("attributes")) {
      JsonNode value = attribute.path("value");
      attributes.put(
          attribute.path("key").asText(), value.isEmpty() ? value : value.iterator().next());
    }
    String trace = span.path("traceId").asText();
    String id = trace + span.path("spanId").asText();
    spans.put(
        id,
        new Span(
            id, trace + span.path("parentSpanId").asText(), trace,
            span.path("startTimeUnixNano").asLong(), span.path("endTimeUnixNano").asLong(),
            attributes, origin));
  }

  /** Hands over the calls in the order of their starts, as long as another one is wanted. */
  void end() {
    Map<String, Long> ends = new HashMap<>();
    List<Span> calls =
        spans.values().stream()
            .filter(span -> CALLS.contains(span.text(OPERATION)))
            .sorted(Comparator.comparingLong(Span::startNanos).thenComparing(Span::id))
            .toList();
    for (Span call : calls) {
      String session = session(call);
      ObjectNode row = JsonNodeFactory.instance.objectNode();
      row.put("start", call.startNanos).put("session", session);
      if (ends.containsKey(session)) {
        row.put("pause", Math.max(0, call.startNanos - ends.get(session)));
      }
      ends.merge(session, call.endNanos, Math::max);
      row.put("input_tokens", tokens(call, "input_tokens", "prompt_tokens"));
      row.put("output_tokens", tokens(call, "output_tokens", "completion_tokens"));
      if (!rows.take(DataRow.ofJson(row, call.origin))) {
        return;
      }
    }
  }

  /** As the conventions name them, now and before; 0 where the span tells none, as of a failure. */
  private static long tokens(Span call, String name, String former) {
    String usage = "gen_ai.usage.";
    return call.attributes.containsKey(usage + name)
        ? call.attributes.get(usage + name).asLong()
        : Optional.ofNullable(call.attributes.get(usage + former)).map(JsonNode::asLong).orElse(0L);
  }

  private String session(Span call) {
    List<Span> agents = new ArrayList<>();
    Span above = spans.get(call.parent);
    // No chain of parents is longer than there are spans, except one in a circle.
    for (int i = 0; above != null && i < spans.size(); i++) {
      if (above.text(OPERATION).equals(AGENT)) {
        agents.add(above);
      }
      above = spans.get(above.parent);
    }
    if (agents.size() > 1) {
      return agents.getFirst().id;
    }
    String conversation = call.text(CONVERSATION);
    return !conversation.isEmpty()
        ? conversation
        : agents.isEmpty() ? call.trace : agents.getFirst().id;
  }
}
