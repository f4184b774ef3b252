package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
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
    String session = text(row, "session_id");
    List<RecordedCalls.Call> own = sessions.computeIfAbsent(session, any -> new ArrayList<>());
    ObjectNode calls = JsonNodeFactory.instance.objectNode();
    calls.put("session", session);
    calls.put("input_tokens", value(row, "input_tokens_total").asLong());
    calls.put("output_tokens", value(row, "output_tokens").asLong());
    long before = own.isEmpty() ? UNTOLD : own.getLast().endNanos();
    long begun = latest(row, INPUTS, before);
    long ended = Math.max(begun, latest(row, OUTPUTS, begun));
    boolean callsTool =
        value(row, "timing_events").valueStream()
            .anyMatch(event -> event.path("event_type").asText().equals("tool_call"));
    own.add(
        new RecordedCalls.Call("", "", begun, ended, callsTool, calls, row.origin()));
    return true;
  }

  private static String text(DataRow row, String column) {
    String text = value(row, column).asText("");
    if (text.isEmpty()) {
      throw row.origin().error(
          "a round without \"" + column + "\"", "mend or remove the row");
    }
    return text;
  }

  private static JsonNode value(DataRow row, String column) {
    return row.values().getOrDefault(column, MissingNode.getInstance());
  }

  private static long latest(DataRow row, Set<String> kinds, long otherwise) {
    long latest = Long.MIN_VALUE;
    for (JsonNode event : value(row, "timing_events")) {
      if (kinds.contains(event.path("event_type").asText())) {
        latest = Math.max(latest, nanos(event.path("timestamp"), row));
      }
    }
    return latest == Long.MIN_VALUE ? otherwise : latest;
  }

  private static long nanos(JsonNode time, DataRow row) {
    try {
      OffsetDateTime at = OffsetDateTime.parse(time.asText());
      return Math.addExact(Math.multiplyExact(at.toEpochSecond(), 1_000_000_000L), at.getNano());
    } catch (DateTimeParseException | ArithmeticException e) {
      throw row.origin().error(
          "an event's timestamp must be a date and time with its zone, was " + time,
          "write for example 2026-06-08T09:30:00.5Z, or remove the row");
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
  void end() {
    for (List<RecordedCalls.Call> session : sessions.values()) {
      for (DataRow row : RecordedCalls.rows(timed(session))) {
        if (!rows.take(row)) {
          return;
        }
      }
    }
  }
}
