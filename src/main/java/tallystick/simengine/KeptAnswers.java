package tallystick.simengine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Answers by {@code /v1/responses} with all that was said before them, for requests that name them.
 * The oldest are forgotten. Threads: the server's event loops.
 */
final class KeptAnswers {
  private static final int MOST = 4096; // a bound on memory

  private final Map<String, ArrayNode> saidUpTo = new LinkedHashMap<>();

  /** A request whose answer is to be kept. */
  final class Turn {
    private final ArrayNode messages;

    private Turn(ArrayNode messages) {
      this.messages = messages;
    }

    void answered(String id, String text) {
      ObjectNode answer = Json.MAPPER.createObjectNode();
      keep(id, messages.add(answer.put("role", "assistant").put("content", text)));
    }
  }

  Turn turn(JsonNode messages) {
    return new Turn(Json.MAPPER.createArrayNode().addAll((ArrayNode) messages));
  }

  /**
   * All that was said up to an answer.
   *
   * @throws ApiError if it is not kept, as vLLM refuses it
   */
  synchronized ArrayNode before(String id) {
    ArrayNode said = saidUpTo.get(id);
    if (said == null) {
      throw ApiError.unknownResponse(id);
    }
    return Json.MAPPER.createArrayNode().addAll(said);
  }

  private synchronized void keep(String id, ArrayNode said) {
    saidUpTo.put(id, said);
    if (saidUpTo.size() > MOST) {
      saidUpTo.remove(saidUpTo.keySet().iterator().next());
    }
  }
}
