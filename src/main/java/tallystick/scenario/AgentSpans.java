package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * OpenTelemetry's GenAI spans, as its collector writes them into a file, made into rows: a call of
 * a model is a row, and the agent that makes it, with all agents it calls, is its session. Agents
 * that no other calls are one session if they tell the same conversation.
 *
 * <p>Source: opentelemetry.io/docs/specs/semconv/gen-ai, read 2026-11-29; flags of
 * opentelemetry-proto/trace/v1.
 */
final class AgentSpans implements DataFile.Rows {
  private static final Set<String> CALLS = Set.of("chat", "text_completion", "generate_content");
  private static final String AGENT = "invoke_agent";
  private static final String OPERATION = "gen_ai.operation.name";
  private static final String CONVERSATION = "gen_ai.conversation.id";
  private static final String USAGE = "gen_ai.usage.";
  private static final String FINISH_REASONS = "gen_ai.response.finish_reasons";

  private static final String START = "startTimeUnixNano";
  private static final String END = "endTimeUnixNano";
  private static final String MOMENT = "nanoseconds since 1970";

  /** Of a span's flags: its parent is of another process, whose spans may lie elsewhere. */
  private static final int REMOTE_PARENT = 0x200;

  private static final JsonNode NONE = JsonNodeFactory.instance.arrayNode();

  private final DataFile.Rows rows;
  private final Map<String, Span> spans = new HashMap<>();
  /** Spans whose parents were looked at → the agents above them. */
  private final Map<String, Agents> agents = new HashMap<>();

  AgentSpans(DataFile.Rows rows) {
    this.rows = rows;
  }

  /**
   * A span of one trace; its ids hold the trace's.
   *
   * @param parent empty where it has none in the file
   */
  private record Span(
      String id, String parent, String trace, long startNanos, long endNanos,
      Map<String, JsonNode> attributes, SourceLocation origin) {
    boolean isCall() {
      return CALLS.contains(text(OPERATION));
    }

    String text(String name) {
      return attributes.containsKey(name) ? attributes.get(name).asText() : "";
    }
  }

  /**
   * The agents above a span.
   *
   * @param nearest the one that it belongs to; null where there is none
   * @param above those above that one
   * @param first the one that began
   */
  private record Agents(Span nearest, Agents above, Span first) {
    private static final Agents NONE = new Agents(null, null, null);

    Agents calling(Span agent) {
      return new Agents(agent, this, isEmpty() ? agent : first);
    }

    boolean isEmpty() {
      return nearest == null;
    }

    boolean isOne() {
      return !isEmpty() && above.isEmpty();
    }

    /** The name of the nearest one; empty for who began: it may be several of a conversation. */
    String name() {
      return isEmpty() || isOne() ? "" : nearest.id;
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
    String spanId = span.path("spanId").asText();
    RecordedFields fields = fields(spanId, origin);
    if (spanId.isEmpty()) {
      throw fields.wrong("spanId", "the span's id", span.path("spanId"));
    }
    String id = trace + spanId;
    String parent = span.path("parentSpanId").asText();
    boolean isRoot = parent.isEmpty() || (span.path("flags").asInt() & REMOTE_PARENT) != 0;
    Span replaced =
        spans.put(
            id,
            new Span(
                id, isRoot ? "" : trace + parent, trace, nanos(span, START, fields),
                nanos(span, END, fields), attributes, origin));
    if (replaced != null && replaced.isCall()) {
      rows.leaveOut(new RowMessages.LeftOut("whose span is told again"));
    }
  }

  private static RecordedFields fields(String spanId, SourceLocation origin) {
    String which = spanId.isEmpty() ? "a span: " : "span " + PlainText.name(spanId) + ": ";
    return new RecordedFields(which, "span", origin);
  }

  /** A moment, as a number or as text; 0 where the span tells none. */
  private static long nanos(JsonNode span, String name, RecordedFields fields) {
    JsonNode value = span.path(name);
    if (RecordedFields.isUntold(value)) {
      return 0;
    }
    // 18 digits reach the year 2001, and 19 digits the year 2262, where 64 bits end.
    boolean isMoment =
        value.isTextual()
            ? value.asText().matches("\\d{1,18}|[1-8]\\d{18}")
            : value.isIntegralNumber() && value.canConvertToLong() && value.asLong() >= 0;
    if (!isMoment) {
      throw fields.wrong(name, MOMENT, value);
    }
    return value.asLong();
  }

  /** Hands over the calls in the order of their starts, as long as another one is wanted. */
  @Override
  public void end() {
    List<Span> calls =
        spans.values().stream()
            .filter(Span::isCall)
            .sorted(Comparator.comparingLong(Span::startNanos).thenComparing(Span::id))
            .toList();
    Map<String, String> conversations = new HashMap<>();
    for (Span call : calls) {
      Agents above = agents(call);
      if (above.isOne() && !call.text(CONVERSATION).isEmpty()) {
        conversations.putIfAbsent(above.nearest().id, call.text(CONVERSATION));
      }
    }
    Map<String, List<RecordedCalls.Call>> sessions = new LinkedHashMap<>();
    for (Span call : calls) {
      Agents above = agents(call);
      String session = session(call, above, conversations);
      sessions.computeIfAbsent(session, any -> new ArrayList<>())
          .add(call(call, above, session));
    }
    List<DataRow> all = new ArrayList<>();
    sessions.values().forEach(session -> all.addAll(RecordedCalls.rows(session)));
    all.sort(Comparator.comparingLong(row -> row.values().get("start").asLong()));
    rows.takeAll(all);
  }

  private static RecordedCalls.Call call(Span call, Agents above, String session) {
    RecordedFields fields = fields(spanId(call.id, call), call.origin);
    if (call.startNanos <= 0) {
      throw fields.wrong(START, MOMENT, MissingNode.getInstance());
    }
    // A span that nobody ended tells no end.
    long endNanos = call.endNanos == 0 ? call.startNanos : call.endNanos;
    if (endNanos < call.startNanos) {
      throw fields.wrong(
          END, START + " (" + call.startNanos + ") or later", LongNode.valueOf(endNanos));
    }
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    row.put("start", call.startNanos).put("session", session);
    row.put("input_tokens", tokens(call, "input_tokens", "prompt_tokens", fields));
    row.put("output_tokens", tokens(call, "output_tokens", "completion_tokens", fields));
    return new RecordedCalls.Call(
        above.name(), above.isEmpty() ? "" : above.above().name(), call.startNanos, endNanos,
        callsTool(call), row, call.origin);
  }

  private static boolean callsTool(Span call) {
    return call.attributes.getOrDefault(FINISH_REASONS, NONE).path("values").valueStream()
        .anyMatch(one -> one.path("stringValue").asText().startsWith("tool"));
  }

  /** As the conventions name them, now and before; 0 where the span tells none, as of a failure. */
  private static long tokens(
      Span call, String name, String former, RecordedFields fields) {
    String told = call.attributes.containsKey(USAGE + name) ? USAGE + name : USAGE + former;
    return fields.tokens(told, call.attributes.getOrDefault(told, MissingNode.getInstance()));
  }

  /** What the first agent above tells, or calls of its own; else the agent, or the trace. */
  private static String session(
      Span call, Agents above, Map<String, String> conversations) {
    if (above.isEmpty()) {
      String told = call.text(CONVERSATION);
      return told.isEmpty() ? call.trace : told;
    }
    Span root = above.first();
    String told = root.text(CONVERSATION);
    return told.isEmpty() ? conversations.getOrDefault(root.id, root.id) : told;
  }

  /** The agents above a call; each span's parent is looked at once. */
  private Agents agents(Span call) {
    Deque<Span> path = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    Span one = call;
    while (!one.parent.isEmpty() && !agents.containsKey(one.id)) {
      if (!seen.add(one.id)) {
        throw call.origin.error(
            "span " + spanId(call.id, call) + " is its own ancestor",
            "fix parentSpanId: the first span of a trace has none");
      }
      path.push(one);
      one = parent(one);
    }
    Agents above = agents.getOrDefault(one.id, Agents.NONE);
    for (Span below : path) {
      Span parent = spans.get(below.parent);
      above = parent.text(OPERATION).equals(AGENT) ? above.calling(parent) : above;
      agents.put(below.id, above);
    }
    return above;
  }

  private Span parent(Span of) {
    Span parent = spans.get(of.parent);
    if (parent == null) {
      throw of.origin.error(
          "span " + spanId(of.id, of) + " has a parent that is not in the file: "
              + spanId(of.parent, of),
          "write whole traces into the file, or mark a parent in another process by flags");
    }
    return parent;
  }

  private static String spanId(String id, Span of) {
    return PlainText.name(id.substring(of.trace.length()));
  }
}
