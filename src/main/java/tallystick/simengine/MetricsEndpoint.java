package tallystick.simengine;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/** {@code /metrics}, with a slash behind it or without: Prometheus text, whoever asks. */
final class MetricsEndpoint {
  static final String PATH = "/metrics";

  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final String FORM = "text/plain; version=1.0.0; charset=utf-8";

  /** As HTTP writes a date; uvicorn puts one on every answer. */
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  /** What a Dynamo worker shows from its start. */
  private static final MetricFamily WORKER_UPTIME =
      new MetricFamily(
          "dynamo_component_uptime_seconds",
          MetricFamily.Type.GAUGE,
          List.of(),
          new double[0],
          List.of(),
          "Uptime of the worker in seconds (a fault on demand).");

  private final ServerMetrics server;
  private final MetricRegistry engines;
  private final MetricRegistry worker;
  private final ServerFaults faults;
  private String frozen = "";

  MetricsEndpoint(ServerMetrics server, MetricRegistry engines, ServerFaults faults) {
    this.server = server;
    this.engines = engines;
    this.worker = new MetricRegistry(List.of(WORKER_UPTIME), MetricNames.CURRENT, 0);
    this.faults = faults;
  }

  /** Whether a path leads here. */
  static boolean isAt(String path) {
    return path.startsWith(PATH);
  }

  /** Answers a scrape, at this moment of the engines' clock where no fault delays it. */
  void answer(HttpServerRequest request, LongSupplier engineNanos) {
    Optional<Fault.Metrics> harm = faults.scraped(System.nanoTime());
    switch (harm.map(Fault.Metrics::harm).orElse(null)) {
      case null -> end(request, body(request, engineNanos.getAsLong(), false));
      case FROZEN -> end(request, body(request, engineNanos.getAsLong(), true));
      case REFUSED -> request.response().setStatusCode(Fault.UNAVAILABLE).end();
      case TRUNCATED -> cut(request, body(request, engineNanos.getAsLong(), false));
      case SLOW ->
          Vertx.currentContext()
              .owner()
              .setTimer(
                  Math.max(1, harm.get().byNanos() / NANOS_PER_MILLI),
                  late -> end(request, body(request, engineNanos.getAsLong(), false)));
    }
  }

  private byte[] body(HttpServerRequest request, long nowNanos, boolean isFrozen) {
    request.response().putHeader("content-type", FORM);
    request.response().putHeader("date", date());
    return text(nowNanos, isFrozen).getBytes(StandardCharsets.UTF_8);
  }

  private static void end(HttpServerRequest request, byte[] body) {
    request.response().end(Buffer.buffer(body));
  }

  /** Promises the whole answer and sends half of it. */
  private static void cut(HttpServerRequest request, byte[] body) {
    request.response().putHeader("content-length", Integer.toString(body.length));
    request
        .response()
        .write(Buffer.buffer(Arrays.copyOf(body, body.length / 2)))
        .onComplete(sent -> request.connection().close());
  }

  private synchronized String text(long nowNanos, boolean isFrozen) {
    if (!isFrozen) {
      frozen = "";
      return now(nowNanos);
    }
    if (frozen.isEmpty()) {
      frozen = now(nowNanos);
    }
    return frozen;
  }

  private String now(long nowNanos) {
    if (faults.takeReset(System.nanoTime())) {
      engines.resetCounters();
    }
    if (!faults.isWorker()) {
      return server.exposition(engines);
    }
    worker.take(worker.series(WORKER_UPTIME.name()), nowNanos / 1e9);
    String uptime = worker.snapshot().text();
    return faults.hasBegun() ? uptime + server.exposition(engines) : uptime;
  }

  /** What a server's {@code Date} says now. */
  static String date() {
    return DATE.format(Instant.now());
  }
}
