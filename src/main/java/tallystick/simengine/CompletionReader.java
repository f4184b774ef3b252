package tallystick.simengine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the body of a completion request and refuses what vLLM refuses, in its words. */
final class CompletionReader {
  private static final int DEFAULT_MAX_TOKENS = 16; // vLLM's, for completions

  /** vLLM's VLLM_MAX_N_SEQUENCES; here the choices of all prompts together are held to it. */
  private static final int MOST_CHOICES = 16_384;

  /** vLLM's VLLM_MAX_COMPLETION_PROMPTS. */
  private static final int MOST_PROMPTS = 1024;

  /** vLLM's VLLM_MAX_STOP_STRINGS. */
  private static final int MOST_STOP_STRINGS = 4;

  private static final BigInteger SMALLEST = BigInteger.valueOf(Integer.MIN_VALUE);
  private static final BigInteger LARGEST = BigInteger.valueOf(Integer.MAX_VALUE);

  private final EngineSettings settings;
  private final KeptAnswers answers = new KeptAnswers();

  CompletionReader(EngineSettings settings) {
    this.settings = settings;
  }

  /**
   * The request that a body asks for.
   *
   * @throws ApiError if vLLM would refuse it
   */
  CompletionCall read(String text, CompletionCall.Api api) {
    boolean isChat = api != CompletionCall.Api.COMPLETIONS;
    JsonNode given = parse(text);
    JsonNode body = api == CompletionCall.Api.RESPONSES ? asChat((ObjectNode) given) : given;
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
    refuseAbove(
        MOST_CHOICES, (long) prompts.size() * generations.getFirst().choices(), "choices", "n");
    JsonNode streamOptions = body.path("stream_options");
    return new CompletionCall(
        api,
        body.path("stream").asBoolean(false),
        streamOptions.path("include_usage").asBoolean(false),
        streamOptions.path("continuous_usage_stats").asBoolean(false),
        body.path("return_token_ids").asBoolean(false),
        api == CompletionCall.Api.RESPONSES && body.path("store").asBoolean(true)
            ? Optional.of(answers.turn(body.path("messages")))
            : Optional.empty(),
        generations);
  }

  /** A response's fields by the names that chat has for them. */
  private ObjectNode asChat(ObjectNode body) {
    JsonNode input = body.path("input");
    if (input.isTextual()) {
      body.putArray("messages").addObject().put("role", "user").put("content", input.asText());
    } else {
      body.set("messages", input);
    }
    String previous = body.path("previous_response_id").asText("");
    if (!previous.isEmpty() && body.path("messages").isArray()) {
      body.set("messages", answers.before(previous).addAll((ArrayNode) body.get("messages")));
    }
    if (body.has("max_output_tokens")) {
      body.set("max_completion_tokens", body.get("max_output_tokens"));
    }
    return body;
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
          "{'type': 'json_invalid', 'loc': 'body." + at + "', 'msg': 'JSON decode error', 'input': "
              + "'<dict of 0 items>', 'ctx': {'error': 'Expecting value'}}",
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
          "{'type': 'int_parsing', 'loc': 'body." + field + "', 'msg': 'Input should be a valid"
              + " integer, unable to parse string as an integer', 'input': '" + value.asText()
              + "'}",
          "body." + field);
    }
    if (value.isContainerNode() || (value.isFloatingPointNumber() && value.asDouble() % 1 != 0)) {
      throw ApiError.invalid(
          "{'type': 'int_type', 'loc': 'body." + field
              + "', 'msg': 'Input should be a valid integer'}",
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
          "max_tokens must be at least 1, got " + asked + ". (parameter=max_tokens, value=" + asked
              + ")",
          "max_tokens");
    }
    int maxTokens = Math.min(asked, room);
    int minTokens = whole(body.path("min_tokens"), 0);
    if (minTokens < 0 || minTokens > maxTokens) {
      throw ApiError.badRequest(
          "min_tokens must be between 0 and max_tokens=" + maxTokens + ", got " + minTokens + ".",
          "min_tokens");
    }
    int choices = body.path("n").isNull() ? 1 : whole(body.path("n"), 1);
    if (choices < 1) {
      throw ApiError.badRequest("n must be at least 1, got " + choices + ".", "n");
    }
    refuseAbove(MOST_CHOICES, choices, "n", "n");
    return new Generation(
        prompt,
        new Sequence.SamplingLimits(
            maxTokens,
            minTokens,
            body.path("ignore_eos").asBoolean(false),
            stopTokens(body.path("stop_token_ids"))),
        stopStrings(body.path("stop")),
        choices,
        Math.max(settings.serving().streamInterval(), whole(body.path("stream_interval"), 1)),
        whole(body.path("priority"), 0));
  }

  private static void refuseAbove(int most, long given, String what, String parameter) {
    if (given > most) {
      throw ApiError.badRequest(
          what + " must be at most " + most + ", got " + given + ".", parameter);
    }
  }

  /** A whole number; one that an int cannot hold is the nearest that it can. */
  private static int whole(JsonNode node, int otherwise) {
    return node.isIntegralNumber()
        ? node.bigIntegerValue().max(SMALLEST).min(LARGEST).intValue()
        : node.asInt(otherwise);
  }

  private static int maxTokens(JsonNode body, boolean isChat, int room) {
    JsonNode asked = body.path(isChat ? "max_completion_tokens" : "max_tokens");
    if (isChat && (asked.isMissingNode() || asked.isNull())) {
      asked = body.path("max_tokens");
    }
    if (asked.isMissingNode() || asked.isNull()) {
      return isChat ? room : DEFAULT_MAX_TOKENS;
    }
    return whole(asked, 0);
  }

  private ApiError tooLong(int promptTokens) {
    return ApiError.badRequest(
        "This model's maximum context length is " + settings.scheduler().maxModelLen()
            + " tokens. However, your prompt contains " + promptTokens
            + " input tokens, which exceeds this limit even without any output tokens. Please"
            + " reduce the length of the input prompt. (parameter=input_tokens, value="
            + promptTokens + ")",
        "input_tokens");
  }

  private static List<String> stopStrings(JsonNode stop) {
    List<String> strings = new ArrayList<>();
    if (stop.isTextual()) {
      strings.add(stop.asText());
    }
    stop.forEach(string -> strings.add(string.asText()));
    strings.removeIf(String::isEmpty);
    refuseAbove(MOST_STOP_STRINGS, strings.size(), "stop strings", "stop");
    return strings;
  }

  private static Set<Integer> stopTokens(JsonNode list) {
    if (list.isMissingNode() || list.isNull()) {
      return Set.of();
    }
    if (!list.isArray()) {
      throw ApiError.invalid(
          "{'type': 'list_type', 'loc': 'body.stop_token_ids', 'msg': 'Input should be a valid"
              + " list', 'input': '" + list.asText() + "'}",
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
          "token_id(s) " + unknown + " in stop_token_ids contain out-of-vocab token ids. Vocabulary"
              + " size: " + Vocabulary.SIZE + " (parameter=stop_token_ids, value=" + unknown + ")",
          "stop_token_ids");
    }
    return tokens;
  }

  private static List<int[]> prompts(JsonNode prompt) {
    List<int[]> prompts = new ArrayList<>();
    boolean isList = prompt.isArray() && !prompt.path(0).isNumber();
    refuseAbove(MOST_PROMPTS, isList ? prompt.size() : 1, "prompts", "prompt");
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
    return array.valueStream().mapToInt(token -> token.asInt(-1)).toArray();
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
