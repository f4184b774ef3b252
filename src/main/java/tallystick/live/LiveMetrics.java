package tallystick.live;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.DoubleSupplier;
import tallystick.runrecord.ClientMetric;
import tallystick.runrecord.EngineEdges;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.ScrapeRow;

/**
 * The client's own metrics while a run goes on, at {@code /metrics}: the names of {@link
 * ClientMetric}, and histograms on the engine's own edges, so that both sides fit in one panel.
 * Threads: any.
 */
public final class LiveMetrics implements AutoCloseable {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final EngineEdges edges = new EngineEdges();
  private final Map<ClientMetric, Counter> counters = new EnumMap<>(ClientMetric.class);
  private final Map<ClientMetric, Histogram> histograms = new EnumMap<>(ClientMetric.class);
  private final List<AutoCloseable> outlets = new ArrayList<>();

  private LiveMetrics(Manifest run, DoubleSupplier inFlight) {
    GaugeWithCallback.builder()
        .name("tally_requests_in_flight")
        .help("Requests that were started and are not over.")
        .callback(callback -> callback.call(inFlight.getAsDouble()))
        .register(registry);
    Info.builder()
        .name("tally_run")
        .help("The run; source says whether its engine is real.")
        .labelNames("run", "scenario", "source")
        .register(registry)
        .setLabelValues(run.runId(), run.scenario(), source(run));
  }

  /**
   * Serves and sends from now on, if anybody asks for it.
   *
   * @param port on all interfaces, because Prometheus may be elsewhere; 0 serves nothing
   * @param environment may name a collector of OpenTelemetry
   * @param inFlight how many requests are in flight
   * @throws IOException if the port is taken
   */
  public static Optional<LiveMetrics> begin(
      int port, Map<String, String> environment, Manifest run, DoubleSupplier inFlight)
      throws IOException {
    LiveMetrics live = new LiveMetrics(run, inFlight);
    if (port != 0) {
      live.outlets.add(HTTPServer.builder().port(port).registry(live.registry).buildAndStart());
    }
    OtlpPush.begin(
            live.registry, environment,
            Map.of("tally.run", run.runId(), "tally.scenario", run.scenario(),
                "tally.source", source(run)))
        .ifPresent(live.outlets::add);
    return live.outlets.isEmpty() ? Optional.empty() : Optional.of(live);
  }

  /**
   * Where the environment has metrics sent by OTLP; empty where it says nothing.
   *
   * @throws IllegalArgumentException if what it says is not a URL
   */
  public static Optional<URI> collector(Map<String, String> environment) {
    return OtlpPush.collector(environment);
  }

  private static String source(Manifest run) {
    return run.source().name().toLowerCase(Locale.ROOT);
  }

  /**
   * Takes a finished request. How many were started is not told by those that are over: it is what
   * ended and what is in flight.
   */
  public void see(RequestRow row) {
    ClientMetric.of(
        row,
        (metric, labels, atNanos, amount) -> {
          if (metric != ClientMetric.STARTED) {
            add(metric, labels, amount);
          }
        });
  }

  /** Takes a scrape of the engine, for its edges. */
  public void see(ScrapeRow row) {
    edges.read(row);
  }

  private void add(ClientMetric metric, SortedMap<String, String> labels, double amount) {
    String[] values = labels.values().toArray(String[]::new);
    if (metric.isHistogram()) {
      histogram(metric, labels.keySet()).labelValues(values).observe(amount);
    } else {
      counter(metric, labels.keySet()).labelValues(values).inc(amount);
    }
  }

  private synchronized Counter counter(ClientMetric metric, Collection<String> labels) {
    return counters.computeIfAbsent(
        metric,
        any ->
            Counter.builder()
                .name(metric.text())
                .help(metric.help())
                .labelNames(labels.toArray(String[]::new))
                .register(registry));
  }

  /** Made with the first request: by then a scrape has shown the engine's edges. */
  private synchronized Histogram histogram(ClientMetric metric, Collection<String> labels) {
    return histograms.computeIfAbsent(
        metric,
        any ->
            Histogram.builder()
                .name(metric.text())
                .help(metric.help())
                .labelNames(labels.toArray(String[]::new))
                .classicOnly()
                .classicUpperBounds(
                    metric.bounds(edges).stream().mapToDouble(Double::doubleValue).toArray())
                .register(registry));
  }

  /** Sends once more, and ends. */
  @Override
  public void close() {
    for (AutoCloseable outlet : outlets) {
      try {
        outlet.close();
      } catch (Exception e) {
        e.printStackTrace(); // The run's own end matters more.
      }
    }
  }
}
