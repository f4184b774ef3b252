package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Sessions of coding agents, one a line, as Weka's KV cache tester records them and AgentX replays
 * them, made into rows. A session's calls have times in seconds after its start; what a sub-agent
 * calls lies in an entry of its own, with times after the session's start or after the entry's.
 *
 * <p>Source: github.com/callanjfox/kv-cache-tester, its page on trace_replay_tester;
 * huggingface.co/datasets/semianalysisai/cc-traces-weka-061326; read 2026-11-29.
 */
final class WekaSessions implements DataFile.Rows {
  private static final double NANOS = 1e9;

  /** Thirty years: what is longer counts another unit. */
  private static final double LONGEST_SECONDS = 1e9;

  /** Hash ids are of their session alone; so many bits hold those of one. */
  private static final int BITS_OF_ID = 32;

  private final DataFile.Rows rows;
  private final int blockTokens;
  private long sessions;

  WekaSessions(DataFile.Rows rows, int blockTokens) {
    this.rows = rows;
    this.blockTokens = blockTokens;
  }

  @Override
  public boolean take(DataRow row) {
    int blockSize = row.values().getOrDefault("block_size", number(blockTokens)).asInt();
    if (blockSize != blockTokens) {
      throw row.origin().error(
          "blocks of " + blockSize + " tokens, read as " + blockTokens,
          "write dataset.block_tokens: " + blockSize);
    }
    sessions++;
    List<RecordedCalls.Call> calls = new ArrayList<>();
    add(row.values().getOrDefault("requests", JsonNodeFactory.instance.arrayNode()), "", 0, row,
        calls);
    for (DataRow one : RecordedCalls.rows(calls)) {
      if (!rows.take(one)) {
        return false;
      }
    }
    return true;
  }

  private static JsonNode number(int value) {
    return JsonNodeFactory.instance.numberNode(value);
  }

  /** Adds what an agent called; its times count from so many seconds on. */
  private void add(
      JsonNode requests, String agent, double from, DataRow session,
      List<RecordedCalls.Call> calls) {
    int place = 0;
    for (JsonNode request : requests) {
      double at = from + seconds(request, session, agent + place);
      if (request.path("type").asText().equals("subagent")) {
        JsonNode own = request.path("requests");
        boolean isRelative =
            own.valueStream().anyMatch(one -> from + one.path("t").asDouble() < at);
        add(own, agent + place + ".", isRelative ? at : from, session, calls);
      } else {
        calls.add(call(request, agent, at, session));
      }
      place++;
    }
  }

  private static double seconds(JsonNode request, DataRow session, String place) {
    JsonNode at = request.path("t");
    if (!at.isNumber() || at.asDouble() < 0 || at.asDouble() > LONGEST_SECONDS) {
      throw session.origin().error(
          "requests " + place + ": \"t\" must be a number of seconds from 0 to a billion, was "
              + at,
          "mend or remove the session");
    }
    return at.asDouble();
  }

  private RecordedCalls.Call call(
      JsonNode request, String agent, double at, DataRow session) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    // Two sessions of one file may have one id, or none.
    row.put("session", sessions + " " + session.values().getOrDefault("id", number(0)).asText());
    row.put("input_tokens", request.path("in").asLong());
    row.put("output_tokens", request.path("out").asLong());
    boolean isLocal = !session.values().containsKey("hash_id_scope")
        || session.values().get("hash_id_scope").asText().equals("local");
    row.putArray("hash_ids")
        .addAll(
            request.path("hash_ids").valueStream()
                .map(id -> isLocal && id.canConvertToInt() ? local(id.asInt()) : id)
                .toList());
    String caller = agent.replaceFirst("\\d+\\.$", "");
    double took = Math.clamp(request.path("api_time").asDouble(), 0, LONGEST_SECONDS);
    return new RecordedCalls.Call(
        agent, caller, Math.round(at * NANOS), Math.round((at + took) * NANOS),
        request.path("stop").asText().equals("tool_use"), row, session.origin());
  }

  private JsonNode local(int id) {
    return JsonNodeFactory.instance.numberNode((sessions << BITS_OF_ID) + id);
  }
}
