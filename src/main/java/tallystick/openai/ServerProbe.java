package tallystick.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import tallystick.reach.ApiAccess;
import tallystick.reach.ConnectionFault;
import tallystick.reach.Redaction;
import tallystick.reach.TrustedAuthorities;
import tallystick.scenario.Endpoint;

/** Asks a server, before a run, who it is and which words it knows. One thread. */
public final class ServerProbe {
  private static final MediaType JSON = MediaType.get("application/json");
  private static final ObjectMapper MAPPER = new ObjectMapper();
  /** Pages at which servers tell how they were started: vLLM in its development mode, SGLang. */
  private static final List<String> ARGUMENT_PAGES =
      List.of("/server_info?config_format=json", "/get_server_info");

  /** What decides how fast a server is, as vLLM and SGLang call it. */
  private static final List<String> ARGUMENTS =
      List.of(
          "attention_backend", "cache_dtype", "chunked_prefill_size", "context_length",
          "data_parallel_size", "disable_radix_cache", "dp_size", "dtype",
          "enable_chunked_prefill", "enable_prefix_caching", "enforce_eager",
          "gpu_memory_utilization", "kv_cache_dtype", "max_model_len", "max_num_batched_tokens",
          "max_num_seqs", "max_prefill_tokens", "max_running_requests", "mem_fraction_static",
          "pipeline_parallel_size", "pp_size", "quantization", "revision", "schedule_policy",
          "speculative_algorithm", "tensor_parallel_size", "tp_size");

  private static final int LONGEST_ARGUMENT = 80;

  private static final int LEAST_WORDS = 64;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int DETOKENIZED = PromptWriter.ALPHABET;

  private final String url;
  private final ApiAccess api;
  private final Redaction redaction;
  private final OkHttpClient http;

  /** A probe of one server; what is shown and CA file as in {@link ClientSettings}. */
  public ServerProbe(String url, ApiAccess api, String caFile, Duration timeout) {
    this.url = url;
    this.api = api;
    this.redaction = api.redaction();
    TrustedAuthorities trusted = TrustedAuthorities.with(caFile);
    this.http =
        new OkHttpClient.Builder()
            .sslSocketFactory(trusted.tls(), trusted.manager())
            .proxy(Proxy.NO_PROXY)
            .retryOnConnectionFailure(false)
            .followRedirects(false)
            .connectTimeout(timeout)
            .readTimeout(timeout)
            .callTimeout(timeout.multipliedBy(2))
            .build();
  }

  /**
   * Answer to {@code GET /v1/models}.
   *
   * @param status HTTP status
   * @param models model ids in the server's order; empty unless the status is 200
   * @param redirectedTo where the answer sends the asker, without a query; empty unless it does
   */
  public record Models(int status, List<String> models, String redirectedTo) {}

  /**
   * The models the server lists.
   *
   * @throws IOException if there is no HTTP answer; its message is fit for a reader
   */
  public Models models() throws IOException {
    Models models;
    try {
      models = askForModels();
    } catch (IOException e) {
      throw new IOException(
          ConnectionFault.otherProtocol(url, e)
              .or(() -> ConnectionFault.words(url, e))
              .orElseGet(() -> httpWords(e)),
          e);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw ConnectionFault.noHttp(e);
    }
    Optional<String> other = ConnectionFault.otherProtocol(url, models.status());
    if (other.isPresent()) {
      throw new IOException(other.get());
    }
    return models;
  }

  private String httpWords(IOException failure) {
    if (failure instanceof InterruptedIOException) {
      // A server that waits for the end of a line never answers the first words of TLS.
      return "no answer in time"
          + (url.startsWith("https:") ? "; is https spoken on this port?" : "");
    }
    return ("" + failure.getMessage()).startsWith("unexpected end of stream")
        ? "the connection ended before an answer"
        : "no HTTP answer: " + redaction.of("" + failure.getMessage());
  }

  private Models askForModels() throws IOException {
    try (Response response = http.newCall(get("/v1/models")).execute()) {
      String body = response.peekBody(1 << 20).string();
      List<String> models = new ArrayList<>();
      if (response.code() == 200) {
        JsonNode list = parse(body).path("data");
        list.forEach(model -> models.add(redaction.ofName(model.path("id").asText())));
        models.removeIf(String::isEmpty);
      }
      return new Models(response.code(), models, redirectedTo(response));
    }
  }

  // A query may hold a secret, and nobody needs it to correct a target.
  private String redirectedTo(Response response) {
    HttpUrl to =
        response.isRedirect()
            ? response.request().url().resolve(response.header("Location", ""))
            : null;
    return to == null
        ? ""
        : redaction.of(
            to.newBuilder().query(null).fragment(null).username("").password("").build()
                .toString());
  }

  /** The server's {@code /version}, empty where it has none. */
  public Optional<String> version() {
    String version = answer(get("/version")).path("version").asText("");
    return version.isEmpty() ? Optional.empty() : Optional.of(redaction.of(version));
  }

  /** How the server was started, by name; empty where it does not tell. */
  public Map<String, String> arguments() {
    for (String page : ARGUMENT_PAGES) {
      JsonNode told = answer(get(page));
      Map<String, String> arguments = new TreeMap<>();
      for (String name : ARGUMENTS) {
        JsonNode value = told.findValue(name);
        if (value != null && value.isValueNode() && !value.isNull()
            && value.asText().length() <= LONGEST_ARGUMENT) {
          arguments.put(name, redaction.of(value.asText()));
        }
      }
      if (!arguments.isEmpty()) {
        return arguments;
      }
    }
    return Map.of();
  }

  /**
   * Words of the server's own vocabulary, so that text prompts differ after tokenizing too; where
   * the server has no {@code /detokenize}, made-up words.
   */
  public List<String> vocabulary(String model) {
    ArrayNode ids = MAPPER.createArrayNode();
    for (int i = 0; i < DETOKENIZED; i++) {
      ids.add(PromptWriter.FIRST_TOKEN_ID + i);
    }
    ObjectNode body = MAPPER.createObjectNode().put("model", model);
    body.set("tokens", ids);
    String prompt = answer(post("/detokenize", body)).path("prompt").asText("");
    Set<String> words = new LinkedHashSet<>(List.of(prompt.trim().split("\\s+")));
    words.removeIf(word -> !word.matches("[\\p{L}]{1,24}"));
    return words.size() >= LEAST_WORDS ? List.copyOf(words) : madeUpWords();
  }

  /**
   * How words become tokens, measured with the server's {@code /tokenize}; {@link
   * PromptFit#UNKNOWN} where it has none.
   */
  public PromptFit fit(String model, Endpoint endpoint, List<String> words) {
    try {
      int few = words.size() / 4;
      int many = words.size();
      int tokensOfFew = countTokens(model, endpoint, words.subList(0, few));
      int tokensOfMany = countTokens(model, endpoint, words.subList(0, many));
      return PromptFit.through(few, tokensOfFew, many, tokensOfMany);
    } catch (IOException e) {
      return PromptFit.UNKNOWN;
    }
  }

  /**
   * Whether there is a {@code /tokenize} that wants a POST. Asked by a GET, which no server takes
   * for a request to generate.
   */
  public boolean hasTokenizer() {
    try (Response response = http.newCall(get("/tokenize")).execute()) {
      return response.code() == METHOD_NOT_ALLOWED;
    } catch (IOException e) {
      return false;
    }
  }

  private int countTokens(String model, Endpoint endpoint, List<String> words)
      throws IOException {
    String text = String.join(" ", words);
    ObjectNode body = MAPPER.createObjectNode().put("model", model);
    if (endpoint.takesMessages()) {
      body.putArray("messages").addObject().put("role", "user").put("content", text);
    } else {
      body.put("prompt", text);
    }
    JsonNode count = answer(post("/tokenize", body)).path("count");
    if (!count.isInt()) {
      throw new IOException("no /tokenize");
    }
    return count.asInt();
  }

  /** Words of two syllables, for servers that do not tell theirs. */
  public static List<String> madeUpWords() {
    String[] heads = "b d f g k l m n p r s t v z".split(" ");
    String[] vowels = "a e i o u".split(" ");
    List<String> syllables = new ArrayList<>();
    for (String head : heads) {
      for (String vowel : vowels) {
        syllables.add(head + vowel);
      }
    }
    List<String> words = new ArrayList<>();
    for (int i = 0; i < PromptWriter.ALPHABET; i++) {
      words.add(
          syllables.get(i / syllables.size() % syllables.size())
              + syllables.get(i % syllables.size()));
    }
    return words;
  }

  private Request get(String path) {
    return request(path).get().build();
  }

  private Request post(String path, JsonNode body) {
    byte[] json = body.toString().getBytes(StandardCharsets.UTF_8);
    return request(path).post(RequestBody.create(json, JSON)).build();
  }

  private Request.Builder request(String path) {
    Request.Builder builder = new Request.Builder().url(api.at(url + path));
    api.allHeaders().forEach(builder::header);
    return builder;
  }

  /** What is answered with status 200; an empty object where another answer comes, or none. */
  private JsonNode answer(Request request) {
    try (Response response = http.newCall(request).execute()) {
      return parse(response.code() == 200 ? response.peekBody(1 << 20).string() : "{}");
    } catch (IOException e) {
      // Most servers lack some of these pages, and nothing is wrong with that.
      return MAPPER.createObjectNode();
    }
  }

  private static JsonNode parse(String body) {
    try {
      JsonNode node = MAPPER.readTree(body);
      return node == null ? MAPPER.createObjectNode() : node;
    } catch (IOException e) {
      return MAPPER.createObjectNode();
    }
  }
}
