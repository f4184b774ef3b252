package tallystick.gatling;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tallystick.openai.ClientSettings;
import tallystick.openai.CompletionClient;
import tallystick.openai.CompletionRequest;
import tallystick.openai.CompletionResult;
import tallystick.scenario.Endpoint;

/** A server that a simulation of one's own sends chat completions to. Threads: any. */
public final class CompletionTarget {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** As in a run; the system itself would try for two minutes. */
  private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Longer than long answers take: a simulation sets no other. */
  private static final long REQUEST_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final String url;
  private final String model;
  private final CompletionClient client;

  private CompletionTarget(String url, String model, String apiKey) {
    this.url = url.replaceAll("/+$", "") + Endpoint.CHAT_COMPLETIONS.path();
    this.model = model;
    this.client =
        new CompletionClient(
            new ClientSettings(CONNECT_NANOS, REQUEST_NANOS, apiKey, "", Map.of()));
  }

  /** A server without a key, for example {@code at("http://127.0.0.1:8000", "qwen")}. */
  public static CompletionTarget at(String url, String model) {
    return new CompletionTarget(url, model, "");
  }

  /** A server that wants a bearer token. */
  public static CompletionTarget at(String url, String model, String apiKey) {
    return new CompletionTarget(url, model, apiKey);
  }

  void send(String prompt, Map<String, Object> options, Consumer<CompletionResult> whenEnded) {
    client.start(
        new CompletionRequest(
            url, body(prompt, options), UUID.randomUUID().toString(), "", System.nanoTime(), 0, 0,
            false),
        true, whenEnded);
  }

  private byte[] body(String prompt, Map<String, Object> options) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("model", model);
    body.put("messages", List.of(Map.of("role", "user", "content", prompt)));
    body.put("stream", true);
    body.put("stream_options", Map.of("include_usage", true));
    body.putAll(options);
    try {
      return MAPPER.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("an option is not JSON: " + e.getOriginalMessage(), e);
    }
  }
}
