package tallystick.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
  private static final String SUB_AGENT = "subagent";

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
    RecordedFields fields = new RecordedFields("", "session", row.origin());
    checkBlocks(row, fields);
    sessions++;
    List<RecordedCalls.Call> calls = new ArrayList<>();
    add(fields.list("requests", row.own("requests")), "", 0, row, calls);
    return rows.takeAll(RecordedCalls.rows(calls));
  }

  private void checkBlocks(DataRow row, RecordedFields fields) {
    JsonNode size = row.own("block_size");
    if (!RecordedFields.isUntold(size)
        && (!size.isIntegralNumber() || size.asLong() < 1 || size.asLong() > Lengths.MOST)) {
      throw fields.wrong("block_size", "a whole number of tokens from 1 on", size);
    }
    if (size.isNumber() && size.asInt() != blockTokens) {
      throw row.origin().error(
          "\"block_size\" is " + size + ", but the hash_ids are read as blocks of " + blockTokens
              + " tokens",
          "write dataset.block_tokens: " + size + "; sessions of other blocks belong into a file"
              + " of their own");
    }
  }

  /** Adds what an agent called; its times count from so many seconds on. */
  private void add(
      List<JsonNode> requests, String agent, double from, DataRow session,
      List<RecordedCalls.Call> calls) {
    int place = 0;
    for (JsonNode request : requests) {
      RecordedFields fields =
          new RecordedFields("requests " + agent + place + ": ", "session", session.origin());
      double at = from + fields.seconds("t", request.path("t"), LONGEST_SECONDS);
      if (request.path("type").asText().equals(SUB_AGENT)) {
        List<JsonNode> own = fields.list("requests", request.path("requests"));
        boolean isRelative =
            own.stream().anyMatch(one -> from + one.path("t").asDouble() < at);
        add(own, agent + place + ".", isRelative ? at : from, session, calls);
      } else if (request.has("requests")) {
        throw fields.wrong(
            "type", "\"" + SUB_AGENT + "\" in an entry that holds \"requests\"",
            request.path("type"));
      } else {
        calls.add(call(request, agent, at, session, fields));
      }
      place++;
    }
  }

  private RecordedCalls.Call call(
      JsonNode request, String agent, double at, DataRow session, RecordedFields fields) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    // Two sessions of one file may have one id, or none.
    row.put("session", sessions + " " + session.own("id").asText("0"));
    row.put("input_tokens", fields.tokens("in", request.path("in")));
    row.put("output_tokens", fields.tokens("out", request.path("out")));
    boolean isLocal = session.own("hash_id_scope").asText("local").equals("local");
    ArrayNode ids = row.putArray("hash_ids");
    for (JsonNode id : fields.list("hash_ids", request.path("hash_ids"))) {
      if (!id.isIntegralNumber() || !id.canConvertToLong()) {
        throw fields.wrong("hash_ids", "a list of whole numbers", request.path("hash_ids"));
      }
      ids.add(isLocal && id.canConvertToInt() ? local(id.asInt()) : id);
    }
    String caller = agent.replaceFirst("\\d+\\.$", "");
    JsonNode time = request.path("api_time");
    double took =
        RecordedFields.isUntold(time) ? 0 : fields.seconds("api_time", time, LONGEST_SECONDS);
    return new RecordedCalls.Call(
        agent, caller, Math.round(at * NANOS), Math.round((at + took) * NANOS),
        request.path("stop").asText().equals("tool_use"), row, session.origin());
  }

  private JsonNode local(int id) {
    return JsonNodeFactory.instance.numberNode((sessions << BITS_OF_ID) + id);
  }
}
