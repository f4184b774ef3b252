package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * TraceLab's rounds of coding agents, one a line, made into rows. A round begins with its latest
 * message or tool result, and ends with the last that the model said; one without times follows the
 * round before at once. The file has no parents: a sub-agent is a session of its own.
 *
 * <p>Source: github.com/uw-syfi/TraceLab, README.md, read 2026-11-29.
 */
final class AgentRounds implements DataFile.Rows {
  /** The time of a round that tells none. */
  private static final long UNTOLD = 0;

  private static final Set<String> INPUTS = Set.of("user_message", "tool_result");
  private static final Set<String> OUTPUTS = Set.of("text", "reasoning", "tool_call");

  private final DataFile.Rows rows;
  private final Map<String, List<RecordedCalls.Call>> sessions = new LinkedHashMap<>();
  private int count;

  AgentRounds(DataFile.Rows rows) {
    this.rows = rows;
  }

  @Override
  public boolean take(DataRow row) {
    if (++count > Dataset.MOST_ENTRIES) {
      throw row.origin().error(
          "more than " + Dataset.MOST_ENTRIES + " rounds", "split the file");
    }
    RecordedFields fields = new RecordedFields("", "row", row.origin());
    String session = row.own("session_id").asText("");
    if (session.isEmpty()) {
      throw fields.wrong("session_id", "the name of the round's session", row.own("session_id"));
    }
    List<RecordedCalls.Call> own = sessions.computeIfAbsent(session, any -> new ArrayList<>());
    ObjectNode calls = JsonNodeFactory.instance.objectNode();
    calls.put("session", session);
    calls.put(
        "input_tokens", fields.tokens("input_tokens_total", row.own("input_tokens_total")));
    calls.put("output_tokens", fields.tokens("output_tokens", row.own("output_tokens")));
    long before = own.isEmpty() ? UNTOLD : own.getLast().endNanos();
    List<JsonNode> events = fields.list("timing_events", row.own("timing_events"));
    long begun = latest(events, INPUTS, before, fields);
    long ended = Math.max(begun, latest(events, OUTPUTS, begun, fields));
    boolean callsTool =
        events.stream()
            .anyMatch(event -> event.path("event_type").asText().equals("tool_call"));
    own.add(
        new RecordedCalls.Call("", "", begun, ended, callsTool, calls, row.origin()));
    return true;
  }

  private static long latest(
      List<JsonNode> events, Set<String> kinds, long otherwise, RecordedFields fields) {
    long latest = Long.MIN_VALUE;
    for (JsonNode event : events) {
      if (kinds.contains(event.path("event_type").asText())) {
        latest = Math.max(latest, nanos(event.path("timestamp"), fields));
      }
    }
    return latest == Long.MIN_VALUE ? otherwise : latest;
  }

  private static long nanos(JsonNode time, RecordedFields fields) {
    try {
      OffsetDateTime at = OffsetDateTime.parse(time.asText());
      return Math.addExact(Math.multiplyExact(at.toEpochSecond(), 1_000_000_000L), at.getNano());
    } catch (DateTimeParseException | ArithmeticException e) {
      throw fields.wrong(
          "timestamp", "a date and time with its zone, as 2026-06-08T09:30:00.5Z", time);
    }
  }

  /** Rounds before the first that tells a time were made at that time. */
  private static List<RecordedCalls.Call> timed(List<RecordedCalls.Call> session) {
    long first =
        session.stream().mapToLong(RecordedCalls.Call::startNanos).filter(at -> at != UNTOLD)
            .findFirst().orElse(UNTOLD);
    return session.stream()
        .map(call -> call.startNanos() == UNTOLD ? call.at(first) : call)
        .toList();
  }

  /** Hands over the rounds, session by session, as long as another one is wanted. */
  @Override
  public void end() {
    for (List<RecordedCalls.Call> session : sessions.values()) {
      if (!rows.takeAll(RecordedCalls.rows(timed(session)))) {
        return;
      }
    }
  }
}
