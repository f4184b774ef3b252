package tallystick.simengine;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tallystick.simengine.CompletionCall.Api;

/** The HTTP endpoints of vLLM's API server, in front of its engines. */
final class HttpApi {
  private static final Map<String, String> METHODS =
      Map.ofEntries(
          Map.entry("/v1/completions", "POST"),
          Map.entry("/v1/chat/completions", "POST"),
          Map.entry("/v1/responses", "POST"),
          Map.entry("/v1/models", "GET"),
          Map.entry("/health", "GET"),
          Map.entry("/ping", "GET,POST"),
          Map.entry("/version", "GET"),
          Map.entry("/load", "GET"),
          Map.entry("/tokenize", "POST"),
          Map.entry("/detokenize", "POST"),
          Map.entry("/reset_prefix_cache", "POST"),
          Map.entry("/pause", "POST"),
          Map.entry("/resume", "POST"));

  private static final int MAX_BODY_BYTES = 64 << 20; // a bound on memory

  private final EngineSettings settings;
  private final Replicas replicas;
  private final KeepAlive keepAlive;
  private final RunningEngines engines;
  private final ServerMetrics metrics;
  private final ServerFaults faults;
  private final MetricsEndpoint endpoint;
  private final CompletionReader reader;
  private final SplittableRandom random;
  private final Admission admission;
  private final EmissionLateness lateness = new EmissionLateness();

  HttpApi(
      EngineSettings settings, KeepAlive keepAlive, ServerFaults faults, double createdSeconds) {
    this.settings = settings;
    this.keepAlive = keepAlive;
    this.replicas = new Replicas(settings, createdSeconds);
    this.metrics = new ServerMetrics(settings.release().kind(), createdSeconds);
    this.faults = faults;
    this.endpoint = new MetricsEndpoint(metrics, replicas.registry(), faults);
    this.reader = new CompletionReader(settings);
    this.admission = new Admission(settings.serving(), replicas);
    this.random = new SplittableRandom(settings.seed());
    this.engines = new RunningEngines(settings, replicas, lateness);
  }

  /** Answers one request; called on an event loop. */
  void handle(HttpServerRequest request) {
    keepAlive.asked(request.connection());
    long begin = System.nanoTime();
    String path = request.path();
    if (MetricsEndpoint.isAt(path)) {
      request.response().putHeader("server", "tallystick");
      request.response().endHandler(ended -> keepAlive.answered(request.connection()));
      endpoint.answer(request, engines::nanos);
      return;
    }
    String handler = METHODS.containsKey(path) ? path : "none";
    HttpServerResponse response = request.response();
    response.putHeader("server", "tallystick");
    if (settings.serving().enableRequestIdHeaders()) {
      String given = request.getHeader("X-Request-Id");
      response.putHeader("x-request-id", given == null ? hex16() + hex16() : given);
    }
    response.endHandler(
        ended -> {
          keepAlive.answered(request.connection());
          double seconds = (System.nanoTime() - begin) / 1e9;
          String method = request.method().name();
          metrics.answered(handler, method, response.getStatusCode(), seconds, nowSeconds());
          long responseBytes = length(response.headers().get("content-length"));
          metrics.sized(
              handler, length(request.getHeader("content-length")), responseBytes, nowSeconds());
        });
    try {
      check(request, path);
      route(request, path);
    } catch (ApiError error) {
      refuse(request, error);
    }
  }

  EmissionLateness lateness() {
    return lateness;
  }

  void close() {
    engines.close();
  }

  private void check(HttpServerRequest request, String path) {
    String key = settings.serving().apiKey();
    boolean isAllowed =
        key.isEmpty() || ("Bearer " + key).equals(request.getHeader("Authorization"));
    if (path.startsWith("/v1") && !isAllowed) {
      throw ApiError.unauthorized();
    }
    String methods = METHODS.get(path);
    if (methods == null) {
      throw ApiError.notFound();
    }
    if (!List.of(methods.split(",")).contains(request.method().name())) {
      request.response().putHeader("allow", methods);
      throw ApiError.methodNotAllowed();
    }
  }

  private void route(HttpServerRequest request, String path) {
    switch (path) {
      case "/v1/completions" -> withBody(request, body -> complete(request, body, Api.COMPLETIONS));
      case "/v1/chat/completions" ->
          withBody(request, body -> complete(request, body, Api.CHAT_COMPLETIONS));
      case "/v1/responses" -> withBody(request, body -> complete(request, body, Api.RESPONSES));
      case "/tokenize" -> withBody(request, body -> json(request, tokenize(body)));
      case "/detokenize" -> withBody(request, body -> json(request, detokenize(body)));
      case "/v1/models" -> json(request, models());
      case "/version" ->
          json(request, "{\"version\":" + Json.quoted(settings.version()) + "}");
      case "/load" -> json(request, "{\"server_load\":" + admission.load() + "}");
      case "/reset_prefix_cache" -> resetPrefixCaches(request);
      case "/pause" -> pause(request);
      case "/resume" ->
          engines.onEach(
              (driver, core) -> driver.resume(),
              later(request, () -> "{\"status\":\"resumed\"}"));
      default -> request.response().end();
    }
  }

  private void withBody(HttpServerRequest request, Consumer<String> action) {
    String type = request.getHeader("content-type");
    if (type == null || !type.toLowerCase(java.util.Locale.ROOT).startsWith("application/json")) {
      throw ApiError.invalid(
          "Unsupported Media Type: Only 'application/json' is allowed", "");
    }
    Buffer body = Buffer.buffer();
    request.handler(
        part -> {
          if (body.length() + part.length() > MAX_BODY_BYTES) {
            request.connection().close();
            return;
          }
          body.appendBuffer(part);
        });
    request.endHandler(
        end -> {
          try {
            action.accept(body.toString());
          } catch (ApiError error) {
            refuse(request, error);
          }
        });
  }

  private void complete(HttpServerRequest request, String body, Api api) {
    long arrivalNanos = engines.nanos();
    Optional<Fault.Refusal> refusal = faults.requestCame(System.nanoTime());
    if (refusal.isPresent()) {
      throw ApiError.refused(refusal.get());
    }
    CompletionCall call = reader.read(body, api);
    admission.check(call);
    String given = request.getHeader("X-Request-Id");
    String id = prefix(api) + (given == null ? hex16() : given);
    AnswerText text = new AnswerText(call, settings, id, (long) nowSeconds());
    CompletionExchange exchange =
        new CompletionExchange(
            call, text, request, Vertx.currentContext(), faults.streamBegins());
    exchange.begin();
    submit(call, exchange, arrivalNanos, request.response());
  }

  private static String prefix(Api api) {
    return switch (api) {
      case COMPLETIONS -> "cmpl-";
      case CHAT_COMPLETIONS -> "chatcmpl-";
      case RESPONSES -> "resp_";
    };
  }

  private void submit(
      CompletionCall call,
      CompletionExchange exchange,
      long arrivalNanos,
      HttpServerResponse response) {
    RunningEngines.Entry entry =
        new RunningEngines.Entry(arrivalNanos, () -> !exchange.isOver());
    Admission.Ticket ticket = admission.admit(call);
    List<RunningEngines.Placement> placements = new ArrayList<>();
    int firstChoice = 0;
    for (Generation generation : call.generations()) {
      int offset = firstChoice;
      placements.add(
          engines.submit(
              generation,
              outbox ->
                  delivery -> {
                    ticket.output(offset + delivery.choice());
                    outbox.add(exchange, offset + delivery.choice(), delivery);
                  },
              entry));
      firstChoice += generation.choices();
    }
    response.bodyEndHandler(
        sent -> {
          ticket.end();
          if (exchange.isAborted()) {
            placements.forEach(engines::cancel);
          }
        });
    // A failed write is followed by the close handler, which does what there is to do.
    response.exceptionHandler(failure -> exchange.abandon());
    response.closeHandler(
        closed -> {
          ticket.end();
          // Abandoned first: a request that the engine has not taken in yet is then never taken in.
          exchange.abandon();
          placements.forEach(engines::cancel);
        });
  }

  private void pause(HttpServerRequest request) {
    String mode = request.getParam("mode", "abort");
    if (!mode.equals("abort") && !mode.equals("keep")) {
      request.response().setStatusCode(400);
      json(request, "{\"error\":\"mode must be abort or keep\"}");
      return;
    }
    engines.onEach(
        (driver, core) -> {
          driver.pause();
          if (mode.equals("abort")) {
            core.abortAll(engines.nanos());
          }
        },
        later(request, () -> "{\"status\":\"paused\"}"));
  }

  private void resetPrefixCaches(HttpServerRequest request) {
    AtomicBoolean isReset = new AtomicBoolean(true);
    engines.onEach(
        (driver, core) -> {
          if (!core.resetPrefixCache()) {
            isReset.set(false);
          }
        },
        later(request, () -> "{\"success\":" + isReset + "}"));
  }

  /** Answers with what is to be said once an engine's thread calls it. */
  private static Runnable later(HttpServerRequest request, Supplier<String> answer) {
    Context context = Vertx.currentContext();
    return () -> {
      String said = answer.get();
      context.runOnContext(run -> json(request, said));
    };
  }

  private String models() {
    return String.format(
        Locale.ROOT,
        "{\"object\":\"list\",\"data\":[{\"id\":%s,\"object\":\"model\",\"created\":%d,"
            + "\"owned_by\":\"tallystick\",\"root\":%s,\"parent\":null,\"max_model_len\":%d,"
            + "\"permission\":[]}]}",
        Json.quoted(settings.model()), (long) nowSeconds(), Json.quoted(settings.model()),
        settings.scheduler().maxModelLen());
  }

  private String tokenize(String text) {
    JsonNode body = CompletionReader.parse(text);
    int[] tokens =
        body.has("messages")
            ? CompletionReader.chatPrompt(body)
            : Vocabulary.encode(body.path("prompt").asText());
    return String.format(
        Locale.ROOT,
        "{\"count\":%d,\"max_model_len\":%d,\"tokens\":%s,\"token_strs\":null}",
        tokens.length, settings.scheduler().maxModelLen(), Json.array(tokens));
  }

  private String detokenize(String text) {
    StringBuilder prompt = new StringBuilder();
    for (JsonNode token : CompletionReader.parse(text).path("tokens")) {
      int id = token.asInt(-1);
      if (id < 0 || id >= Vocabulary.SIZE) {
        throw ApiError.badRequest("Token id " + id + " is out of vocabulary", "");
      }
      prompt.append(prompt.isEmpty() ? "" : " ").append(Vocabulary.word(id));
    }
    return "{\"prompt\":" + Json.quoted(prompt.toString()) + "}";
  }

  private static void json(HttpServerRequest request, String body) {
    request
        .response()
        .putHeader("content-type", "application/json")
        .putHeader("date", MetricsEndpoint.date())
        .end(body);
  }

  private static void refuse(HttpServerRequest request, ApiError error) {
    request.response().setStatusCode(error.status());
    json(request, error.body());
  }

  private synchronized String hex16() {
    return String.format(Locale.ROOT, "%016x", random.nextLong());
  }

  private static long length(String header) {
    return header == null ? 0 : Long.parseLong(header);
  }

  private static double nowSeconds() {
    return System.currentTimeMillis() / 1e3;
  }
}
