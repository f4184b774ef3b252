package tallystick.tracing;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import tallystick.runrecord.SpanRow;

/**
 * Receives traces as OTLP over HTTP with protobuf bodies, on loopback: {@code POST /v1/traces}.
 * Source: the OTLP specification 1.x, chapter OTLP/HTTP. Threads: any.
 */
public final class TraceReceiver implements AutoCloseable {
  /** Largest body taken, compressed or not; a batch of 512 spans is below 1 MiB. */
  static final int BODY_LIMIT_BYTES = 16 << 20;

  private static final String ADDRESS = "127.0.0.1";
  private static final String PATH = "/v1/traces";
  private static final String PROTOBUF = "application/x-protobuf";

  /** A sender that stalls holds a thread, and at most a body, until its time is over. */
  private static final int THREADS = 16;

  private static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";
  private static final int BACKLOG = 64;
  private static final int STATUS_MESSAGE_FIELD = 2;

  private final Consumer<SpanRow> spans;
  private final HttpServer server;
  private final ExecutorService workers =
      Executors.newFixedThreadPool(
          THREADS, Thread.ofPlatform().name("trace-receiver").daemon().factory());
  private final LongAdder taken = new LongAdder();
  private final LongAdder malformedSpans = new LongAdder();
  private final LongAdder refusedPosts = new LongAdder();

  /** Why a post is not taken, and with which status to say so. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    Refusal(int status, String message) {
      super(message);
      this.status = status;
    }
  }

  private TraceReceiver(HttpServer server, Consumer<SpanRow> spans) {
    this.server = server;
    this.spans = spans;
  }

  /**
   * Starts listening.
   *
   * @param port on 127.0.0.1; 0 takes a free one
   * @param spans takes each span {@code llm_request}; must not block
   * @throws IOException if the port is taken
   */
  public static TraceReceiver open(int port, Consumer<SpanRow> spans) throws IOException {
    SpanReader.warmUp();
    // Java's server reads this once, when it is first used.
    System.setProperty(REQUEST_SECONDS, "10");
    HttpServer server = HttpServer.create(new InetSocketAddress(ADDRESS, port), BACKLOG);
    TraceReceiver receiver = new TraceReceiver(server, spans);
    server.createContext("/", receiver::answer);
    server.setExecutor(receiver.workers);
    server.start();
    return receiver;
  }

  /** What an engine is to be told as {@code --otlp-traces-endpoint} for a receiver's port. */
  public static String endpoint(int port) {
    return "http://" + ADDRESS + ":" + port + PATH;
  }

  /** What an engine is to be told as {@code --otlp-traces-endpoint}. */
  public String endpoint() {
    return endpoint(server.getAddress().getPort());
  }

  /** Spans of requests handed over so far. */
  public long spans() {
    return taken.sum();
  }

  /** Spans of requests that were left out because their ids are not what the format asks for. */
  public long malformedSpans() {
    return malformedSpans.sum();
  }

  /** Posts that could not be read and were answered with an error. */
  public long refusedPosts() {
    return refusedPosts.sum();
  }

  @Override
  public void close() {
    server.stop(0);
    workers.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      try {
        SpanReader.Spans read = SpanReader.read(request(exchange));
        read.rows().forEach(spans);
        taken.add(read.rows().size());
        malformedSpans.add(read.malformed());
        reply(exchange, 200, ExportTraceServiceResponse.getDefaultInstance().toByteArray());
      } catch (Refusal refusal) {
        refusedPosts.increment();
        // What is left of the body is not read, so the connection cannot be used again.
        exchange.getResponseHeaders().set("Connection", "close");
        reply(exchange, refusal.status, statusMessage(refusal.getMessage()));
      }
    }
  }

  private static ExportTraceServiceRequest request(HttpExchange exchange)
      throws IOException, Refusal {
    if (!exchange.getRequestURI().getPath().equals(PATH)) {
      throw new Refusal(404, "traces are taken at " + PATH);
    }
    if (!exchange.getRequestMethod().equals("POST")) {
      throw new Refusal(405, "traces are posted");
    }
    String type = header(exchange, "Content-Type");
    if (!type.split(";", 2)[0].strip().equalsIgnoreCase(PROTOBUF)) {
      throw new Refusal(
          415, "set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf: content type " + type);
    }
    byte[] posted = upToLimit(exchange.getRequestBody());
    try {
      return ExportTraceServiceRequest.parseFrom(
          inflated(posted, header(exchange, "Content-Encoding")));
    } catch (InvalidProtocolBufferException e) {
      throw new Refusal(400, "not an ExportTraceServiceRequest: " + e.getMessage());
    }
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  private static byte[] inflated(byte[] body, String encoding) throws Refusal {
    if (encoding.isEmpty() || encoding.equalsIgnoreCase("identity")) {
      return body;
    }
    if (!encoding.equalsIgnoreCase("gzip")) {
      throw new Refusal(415, "content encoding " + encoding + " is not taken, gzip is");
    }
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return upToLimit(in);
    } catch (IOException e) {
      throw new Refusal(400, "the body is not gzip: " + e.getMessage());
    }
  }

  private static byte[] upToLimit(InputStream in) throws IOException, Refusal {
    byte[] bytes = in.readNBytes(BODY_LIMIT_BYTES + 1);
    if (bytes.length > BODY_LIMIT_BYTES) {
      throw new Refusal(413, "a body may have " + BODY_LIMIT_BYTES + " bytes");
    }
    return bytes;
  }

  /** A {@code google.rpc.Status}, which OTLP wants as the body of an error. */
  private static byte[] statusMessage(String message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeString(STATUS_MESSAGE_FIELD, message);
    out.flush();
    return bytes.toByteArray();
  }

  private static void reply(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", PROTOBUF);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }
}
