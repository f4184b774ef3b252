package tallystick.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** What a server says was wrong, out of a body that is no stream of events. */
final class ServerWords {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MOST_MESSAGES = 8;
  private static final int MOST_DEPTH = 8;

  /**
   * Where servers and gateways put it: OpenAI's API, FastAPI and RFC 9457, vLLM's older object and
   * most gateways, several errors at once, OAuth.
   */
  private static final List<String> PLACES =
      List.of("error", "detail", "message", "errors", "error_description");

  private ServerWords() {}

  /** The message of a JSON error; the body as it is where it is none. */
  static String of(String body) {
    String error = error(body);
    return error.isEmpty() ? body.strip() : error;
  }

  /** The message of a JSON error; empty where the body is none. */
  static String error(String body) {
    String text = body.strip();
    if (!text.startsWith("{") && !text.startsWith("[")) {
      return "";
    }
    try {
      return message(MAPPER.readTree(text), 0).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static String message(JsonNode node, int depth) {
    if (depth > MOST_DEPTH) {
      return "";
    }
    if (node.isArray()) {
      return StreamSupport.stream(node.spliterator(), false)
          .limit(MOST_MESSAGES)
          .map(item -> message(item, depth + 1))
          .filter(words -> !words.isEmpty())
          .collect(Collectors.joining("; "));
    }
    return node.isObject() ? ofObject(node, depth) : node.asText("");
  }

  private static String ofObject(JsonNode node, int depth) {
    if (node.has("msg")) {
      return withParameter(node.path("msg").asText(""), place(node.path("loc")));
    }
    for (String place : PLACES) {
      JsonNode said = node.path(place);
      String words = said.isNull() || said.isMissingNode() ? "" : message(said, depth + 1);
      if (!words.isEmpty()) {
        return withParameter(words, node.path("param").asText(""));
      }
    }
    return "";
  }

  /** What is wrong with which field is often said in two places. */
  private static String withParameter(String words, String parameter) {
    boolean isTold = parameter.isEmpty() || parameter.equals("null") || words.contains(parameter);
    return isTold ? words : parameter + ": " + words;
  }

  private static String place(JsonNode location) {
    List<String> parts = new ArrayList<>();
    location.forEach(part -> parts.add(part.asText("")));
    return String.join(".", parts);
  }
}
