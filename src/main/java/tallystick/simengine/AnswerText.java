package tallystick.simengine;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The JSON of one completion's answer, streamed or whole, byte for byte in vLLM's shape. */
final class AnswerText {
  private static final String PREFIX = "data: ";
  private static final String SUFFIX = "\n\n";

  /** The last event of a stream. */
  static final String DONE = PREFIX + "[DONE]" + SUFFIX;

  /** What a fault sends in the place of an answer's rest. */
  static final String ERROR =
      PREFIX
          + "{\"error\":{\"message\":\"The engine failed (a fault on demand).\","
          + "\"type\":\"InternalServerError\",\"param\":null,\"code\":500}}"
          + SUFFIX;

  private final String id;
  private final CompletionCall call;
  private final EngineSettings settings;
  private final String head;
  private final String fingerprint;
  private final ResponseEvents response;

  /**
   * Token counts of an answer.
   *
   * @param prompt prompt tokens
   * @param completion output tokens sent so far
   * @param cached prompt tokens found in the cache
   */
  record Usage(int prompt, int completion, int cached) {}

  AnswerText(CompletionCall call, EngineSettings settings, String id, long createdSeconds) {
    this.response = new ResponseEvents(id, settings.model());
    this.id = id;
    this.call = call;
    this.settings = settings;
    String object = call.isChat() ? "chat.completion" : "text_completion";
    if (call.isChat() && call.stream()) {
      object = "chat.completion.chunk";
    }
    this.head =
        String.format(
            Locale.ROOT,
            "{\"id\":%s,\"object\":\"%s\",\"created\":%d,\"model\":%s,\"choices\":[",
            Json.quoted(id), object, createdSeconds, Json.quoted(settings.model()));
    this.fingerprint =
        String.format(
            Locale.ROOT,
            ",\"system_fingerprint\":\"vllm-%s-%08x\"",
            settings.version(), settings.model().hashCode());
  }

  /** The first half of an event, ended as if it were whole. */
  static String broken(String event) {
    return event.substring(0, event.length() / 2) + SUFFIX;
  }

  /** The chunk that opens a chat choice; it carries no token. */
  String role(int choice, int[] prompt) {
    if (call.isResponse()) {
      return response.begin();
    }
    String usage = "";
    if (call.continuousUsage()) {
      usage = usage(new Usage(prompt.length, 0, 0), ",\"completion_tokens_details\":null");
    }
    String promptIds = call.returnTokenIds() && choice == 0 ? Json.array(prompt) : "null";
    return PREFIX + head
        + """
        {"index":%s,"delta":{"role":"assistant","content":""},"logprobs":null,\
        "finish_reason":null}]%s,"prompt_token_ids":%s,"prompt_text":null}"""
            .formatted(choice, usage, promptIds)
        + SUFFIX;
  }

  /**
   * A chunk with tokens.
   *
   * @param choice the choice's index in the answer
   * @param usage counts so far, this chunk included
   * @param firstPrompt the prompt if this is the choice's first chunk, otherwise empty
   */
  String chunk(int choice, Delivery delivery, Usage usage, Optional<int[]> firstPrompt) {
    if (call.isResponse()) {
      return response.delta(delivery, isThinking(usage));
    }
    StringBuilder chunk = new StringBuilder(320).append(PREFIX).append(head);
    chunk.append("{\"index\":").append(choice);
    if (call.isChat()) {
      chunk.append(",\"delta\":{\"").append(isThinking(usage) ? "reasoning" : "content");
      chunk.append("\":").append(Json.quoted(delivery.text()));
      chunk.append('}');
    } else {
      chunk.append(",\"text\":").append(Json.quoted(delivery.text()));
    }
    chunk.append(",\"logprobs\":null,");
    chunk.append(ending(delivery.ending()));
    if (!call.isChat()) {
      boolean hasPrompt = call.returnTokenIds() && firstPrompt.isPresent();
      chunk.append("\"prompt_token_ids\":");
      chunk.append(hasPrompt ? Json.array(firstPrompt.get()) : "null").append(',');
    }
    chunk.append("\"token_ids\":");
    chunk.append(call.returnTokenIds() ? Json.array(delivery.tokens()) : "null").append("}]");
    if (call.continuousUsage()) {
      chunk.append(usage(usage, call.isChat() ? ",\"completion_tokens_details\":null" : ""));
    }
    if (delivery.ending().isPresent() && !call.includeUsage()) {
      chunk.append(fingerprint);
    }
    return chunk.append('}').append(SUFFIX).toString();
  }

  private boolean isThinking(Usage usage) {
    return usage.completion() <= settings.serving().reasoningTokens();
  }

  String id() {
    return id;
  }

  /** The events that every stream of this call ends with. */
  List<String> end(Usage usage, Optional<Delivery.Ending> only) {
    if (call.isResponse()) {
      return List.of(response.end(counts(usage), only.orElseThrow()));
    }
    return call.includeUsage() ? List.of(usageChunk(usage, only), DONE) : List.of(DONE);
  }

  private ResponseEvents.Counts counts(Usage usage) {
    int thinking = Math.min(usage.completion(), settings.serving().reasoningTokens());
    return new ResponseEvents.Counts(
        usage.prompt(), usage.cached(), usage.completion(), thinking);
  }

  /** The chunk without choices that ends a stream whose client asked for usage. */
  private String usageChunk(Usage usage, Optional<Delivery.Ending> only) {
    String details = "";
    if (settings.serving().enablePromptTokensDetails()) {
      String created = call.isChat() ? ",\"created_cache_tokens\":" + createdCache(usage) : "";
      details =
          ",\"prompt_tokens_details\":{\"cached_tokens\":" + usage.cached() + created + "}";
    }
    String metrics = "";
    if (settings.serving().enablePerRequestMetrics() && only.isPresent()) {
      metrics = ",\"metrics\":{" + metrics(only.get()) + "}";
    }
    return PREFIX + head + "]" + usage(usage, details) + fingerprint + metrics + "}" + SUFFIX;
  }

  /** The body of an answer that is not streamed, of everything that each choice has got. */
  String body(Delivery[] choices, Usage usage) {
    Delivery.Ending ending = choices[0].ending().orElseThrow();
    if (call.isResponse()) {
      return response.body(choices[0].text(), counts(usage), ending);
    }
    StringBuilder body = new StringBuilder(512).append(head);
    for (int index = 0; index < choices.length; index++) {
      body.append(index == 0 ? "" : ",");
      body.append(
          call.isChat() ? chatChoice(index, choices[index]) : textChoice(index, choices[index]));
    }
    body.append("],\"service_tier\":null").append(fingerprint);
    body.append(usage(usage, wholeDetails(usage)));
    if (call.isChat()) {
      String prompt =
          call.returnTokenIds() ? Json.array(call.generations().getFirst().prompt()) : "null";
      body.append(",\"prompt_logprobs\":null,\"prompt_token_ids\":").append(prompt);
      body.append(",\"prompt_text\":null");
    }
    body.append(",\"kv_transfer_params\":null,\"ec_transfer_params\":null,\"metrics\":");
    if (settings.serving().enablePerRequestMetrics() && choices.length == 1) {
      body.append('{').append(metrics(ending));
      body.append(",\"speculative_decoding\":null}");
    } else {
      body.append("null");
    }
    return body.append('}').toString();
  }

  private String textChoice(int index, Delivery choice) {
    int[] prompt = call.generations().get(index / choicesPerPrompt()).prompt();
    return """
        {"index":%s,"text":%s,"logprobs":null,%s"token_ids":%s,"prompt_logprobs":null,\
        "prompt_token_ids":%s,"routed_experts":null}"""
        .formatted(
            index, Json.quoted(choice.text()), ending(choice.ending()),
            ids(choice.tokens()), ids(prompt));
  }

  private String chatChoice(int index, Delivery choice) {
    return """
        {"index":%s,"message":{"role":"assistant","content":%s,"refusal":null,\
        "annotations":null,"audio":null,"function_call":null,"reasoning":null},\
        "logprobs":null,%s"token_ids":%s,"routed_experts":null}"""
        .formatted(
            index, Json.quoted(choice.text()), ending(choice.ending()),
            ids(choice.tokens()));
  }

  private String ids(int[] tokens) {
    return call.returnTokenIds() ? Json.array(tokens) : "null";
  }

  private int choicesPerPrompt() {
    return call.generations().getFirst().choices();
  }

  private String ending(Optional<Delivery.Ending> ending) {
    if (ending.isEmpty()) {
      return call.isChat()
          ? "\"finish_reason\":null,"
          : "\"finish_reason\":null,\"stop_reason\":null,";
    }
    return "\"finish_reason\":\"" + ending.get().reason().label() + "\",\"stop_reason\":"
        + ending.get().stopReason() + ',';
  }

  private String wholeDetails(Usage usage) {
    if (!settings.serving().enablePromptTokensDetails()) {
      return ",\"prompt_tokens_details\":null,\"completion_tokens_details\":null";
    }
    String created = call.isChat() ? Integer.toString(createdCache(usage)) : "null";
    return """
        ,"prompt_tokens_details":{"cached_tokens":%s,"created_cache_tokens":%s,\
        "multimodal_tokens":null},"completion_tokens_details":null"""
        .formatted(usage.cached(), created);
  }

  private int createdCache(Usage usage) {
    int blockSize = settings.scheduler().blockSize();
    return Math.max(0, usage.prompt() / blockSize * blockSize - usage.cached());
  }

  private static String usage(Usage usage, String details) {
    return ",\"usage\":{\"prompt_tokens\":" + usage.prompt() + ",\"total_tokens\":"
        + (usage.prompt() + usage.completion()) + ",\"completion_tokens\":" + usage.completion()
        + details + '}';
  }

  private static String metrics(Delivery.Ending ending) {
    RequestTimes times = ending.times();
    int generated = ending.generatedTokens();
    double inferenceSeconds = times.inferenceNanos() / 1e9;
    return """
        "time_to_first_token_ms":%s,"generation_time_ms":%s,"queue_time_ms":%s,\
        "mean_itl_ms":%s,"tokens_per_second":%s"""
        .formatted(
            times.prefillNanos() / 1e6, times.decodeNanos() / 1e6, times.queueNanos() / 1e6,
            generated > 1 ? times.decodeNanos() / 1e6 / (generated - 1) : "null",
            inferenceSeconds > 0 ? generated / inferenceSeconds : "null");
  }
}
