package tallystick.simengine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the body of a completion request and refuses what vLLM refuses, in its words. */
final class CompletionReader {
  private static final int DEFAULT_MAX_TOKENS = 16;

  private final EngineSettings settings;

  CompletionReader(EngineSettings settings) {
    this.settings = settings;
  }

  /**
   * The request that a body asks for.
   *
   * @throws ApiError if vLLM would refuse it
   */
  CompletionCall read(String text, boolean isChat) {
    JsonNode body = parse(text);
    checkTypes(body);
    String model = body.path("model").asText(settings.model());
    if (!model.equals(settings.model())) {
      throw ApiError.unknownModel(model, settings.model());
    }
    List<int[]> prompts = isChat ? List.of(chatPrompt(body)) : prompts(body.path("prompt"));
    List<Generation> generations = new ArrayList<>();
    for (int[] prompt : prompts) {
      generations.add(generation(body, prompt, isChat));
    }
    JsonNode streamOptions = body.path("stream_options");
    return new CompletionCall(
        isChat,
        body.path("stream").asBoolean(false),
        streamOptions.path("include_usage").asBoolean(false),
        streamOptions.path("continuous_usage_stats").asBoolean(false),
        body.path("return_token_ids").asBoolean(false),
        LogProbabilities.asked(body, isChat),
        generations);
  }

  /** A body as JSON, or vLLM's refusal of one that is none. */
  static JsonNode parse(String text) {
    try {
      JsonNode body = Json.MAPPER.readTree(text);
      if (body.isObject()) {
        return body;
      }
      throw ApiError.invalid(
          "{'type': 'model_attributes_type', 'loc': 'body', 'msg': 'Input should be a valid"
              + " dictionary or object to extract fields from'}",
          "body");
    } catch (JsonProcessingException e) {
      long at = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getCharOffset());
      throw ApiError.invalid(
          ("{'type': 'json_invalid', 'loc': 'body.%d', 'msg': 'JSON decode error', 'input': '<dict"
                  + " of 0 items>', 'ctx': {'error': 'Expecting value'}}")
              .formatted(at),
          "body." + at);
    }
  }

  private static void checkTypes(JsonNode body) {
    for (String field :
        List.of(
            "max_tokens", "max_completion_tokens", "min_tokens", "n", "priority",
            "stream_interval")) {
      checkInteger(body.path(field), field);
    }
  }

  private static void checkInteger(JsonNode value, String field) {
    if (value.isTextual() && !value.asText().strip().matches("[+-]?\\d+")) {
      throw ApiError.invalid(
          ("{'type': 'int_parsing', 'loc': 'body.%s', 'msg': 'Input should be a valid integer,"
                  + " unable to parse string as an integer', 'input': '%s'}")
              .formatted(field, value.asText()),
          "body." + field);
    }
    if (value.isContainerNode() || (value.isFloatingPointNumber() && value.asDouble() % 1 != 0)) {
      throw ApiError.invalid(
          "{'type': 'int_type', 'loc': 'body.%s', 'msg': 'Input should be a valid integer'}"
              .formatted(field),
          "body." + field);
    }
  }

  private Generation generation(JsonNode body, int[] prompt, boolean isChat) {
    int room = settings.scheduler().maxModelLen() - prompt.length;
    if (room <= 0) {
      throw tooLong(prompt.length);
    }
    for (int token : prompt) {
      if (token < 0 || token >= Vocabulary.SIZE) {
        throw ApiError.badRequest("Token id " + token + " is out of vocabulary", "");
      }
    }
    int asked = maxTokens(body, isChat, room);
    if (asked < 1) {
      throw ApiError.badRequest(
          "max_tokens must be at least 1, got %d. (parameter=max_tokens, value=%d)"
              .formatted(asked, asked),
          "max_tokens");
    }
    int maxTokens = Math.min(asked, room);
    int minTokens = body.path("min_tokens").asInt(0);
    if (minTokens < 0 || minTokens > maxTokens) {
      throw ApiError.badRequest(
          "min_tokens must be between 0 and max_tokens=%d, got %d."
              .formatted(maxTokens, minTokens),
          "min_tokens");
    }
    int choices = body.path("n").isNull() ? 1 : body.path("n").asInt(1);
    if (choices < 1) {
      throw ApiError.badRequest("n must be at least 1, got " + choices + ".", "n");
    }
    return new Generation(
        prompt,
        new Sequence.SamplingLimits(
            maxTokens,
            minTokens,
            body.path("ignore_eos").asBoolean(false),
            stopTokens(body.path("stop_token_ids"))),
        stopStrings(body.path("stop")),
        choices,
        Math.max(settings.serving().streamInterval(), body.path("stream_interval").asInt(1)),
        body.path("priority").asInt(0));
  }

  private static int maxTokens(JsonNode body, boolean isChat, int room) {
    JsonNode asked = body.path(isChat ? "max_completion_tokens" : "max_tokens");
    if (isChat && (asked.isMissingNode() || asked.isNull())) {
      asked = body.path("max_tokens");
    }
    if (asked.isMissingNode() || asked.isNull()) {
      return isChat ? room : DEFAULT_MAX_TOKENS;
    }
    return asked.asInt();
  }

  private ApiError tooLong(int promptTokens) {
    return ApiError.badRequest(
        ("This model's maximum context length is %d tokens. However, your prompt contains %d input"
                + " tokens, which exceeds this limit even without any output tokens. Please reduce"
                + " the length of the input prompt. (parameter=input_tokens, value=%d)")
            .formatted(settings.scheduler().maxModelLen(), promptTokens, promptTokens),
        "input_tokens");
  }

  private static List<String> stopStrings(JsonNode stop) {
    List<String> strings = new ArrayList<>();
    if (stop.isTextual()) {
      strings.add(stop.asText());
    }
    stop.forEach(string -> strings.add(string.asText()));
    strings.removeIf(String::isEmpty);
    return strings;
  }

  private static Set<Integer> stopTokens(JsonNode list) {
    if (list.isMissingNode() || list.isNull()) {
      return Set.of();
    }
    if (!list.isArray()) {
      throw ApiError.invalid(
          ("{'type': 'list_type', 'loc': 'body.stop_token_ids', 'msg': 'Input should be a valid"
                  + " list', 'input': '%s'}")
              .formatted(list.asText()),
          "body.stop_token_ids");
    }
    Set<Integer> tokens = new LinkedHashSet<>();
    for (int i = 0; i < list.size(); i++) {
      checkInteger(list.get(i), "stop_token_ids." + i);
      tokens.add(list.get(i).asInt());
    }
    List<Integer> unknown =
        tokens.stream().filter(token -> token < 0 || token >= Vocabulary.SIZE).toList();
    if (!unknown.isEmpty()) {
      throw ApiError.badRequest(
          ("token_id(s) %s in stop_token_ids contain out-of-vocab token ids. Vocabulary size: %d"
                  + " (parameter=stop_token_ids, value=%s)")
              .formatted(unknown, Vocabulary.SIZE, unknown),
          "stop_token_ids");
    }
    return tokens;
  }

  private static List<int[]> prompts(JsonNode prompt) {
    List<int[]> prompts = new ArrayList<>();
    if (prompt.isTextual()) {
      prompts.add(Vocabulary.encode(prompt.asText()));
    } else if (prompt.isArray() && prompt.path(0).isNumber()) {
      prompts.add(tokens(prompt));
    } else if (prompt.isArray()) {
      for (JsonNode one : prompt) {
        prompts.add(one.isTextual() ? Vocabulary.encode(one.asText()) : tokens(one));
      }
    }
    if (prompts.isEmpty() || prompts.stream().anyMatch(tokens -> tokens.length == 0)) {
      throw ApiError.badRequest(
          "Either prompt or prompt_embeds must be provided and non-empty.", "prompt");
    }
    return prompts;
  }

  private static int[] tokens(JsonNode array) {
    int[] tokens = new int[array.size()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = array.get(i).asInt(-1);
    }
    return tokens;
  }

  /** A conversation as the template lays it out; the assistant's role comes last. */
  static int[] chatPrompt(JsonNode body) {
    JsonNode messages = body.path("messages");
    if (!messages.isArray() || messages.isEmpty()) {
      throw ApiError.invalid(
          "{'type': 'missing', 'loc': 'body.messages', 'msg': 'Field required'}",
          "body.messages");
    }
    List<PromptLayout.Message> said = new ArrayList<>();
    for (JsonNode message : messages) {
      said.add(
          new PromptLayout.Message(
              message.path("role").asText(),
              Vocabulary.encode(content(message.path("content")))));
    }
    return PromptLayout.chat(said);
  }

  private static String content(JsonNode content) {
    if (content.isTextual()) {
      return content.asText();
    }
    StringBuilder text = new StringBuilder();
    content.forEach(part -> text.append(part.path("text").asText()).append(' '));
    return text.toString();
  }
}
