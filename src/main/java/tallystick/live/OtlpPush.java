package tallystick.live;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.resource.v1.Resource;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Sends metrics to a collector by OTLP over HTTP with protobuf, in the way the variables of
 * OpenTelemetry say. What cannot be sent is left out: the run goes on.
 */
final class OtlpPush implements AutoCloseable {
  /** A run may last no longer than OpenTelemetry's usual 60 s. */
  private static final String USUAL_INTERVAL_MILLIS = "10000";

  private static final Duration PATIENCE = Duration.ofSeconds(5); // longer would delay the end

  private final PrometheusRegistry registry;
  private final URI endpoint;
  private final Map<String, String> headers;
  private final Resource resource;
  private final long beginNanos = nowNanos();
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
  private String lastFailure = "";

  private OtlpPush(
      PrometheusRegistry registry, URI endpoint, Map<String, String> headers, Resource resource) {
    this.registry = registry;
    this.endpoint = endpoint;
    this.headers = headers;
    this.resource = resource;
  }

  /**
   * A push from now on, if the environment names a collector.
   *
   * @param run what the metrics are of
   */
  static Optional<OtlpPush> begin(
      PrometheusRegistry registry, Map<String, String> environment, Map<String, String> run) {
    try {
      Optional<URI> collector = collector(environment);
      if (collector.isEmpty()) {
        return Optional.empty();
      }
      Map<String, String> attributes = new TreeMap<>(run);
      attributes.put("service.name", environment.getOrDefault("OTEL_SERVICE_NAME", "tallystick"));
      OtlpPush push =
          new OtlpPush(
              registry, collector.get(),
              headers(environment.getOrDefault("OTEL_EXPORTER_OTLP_HEADERS", "")),
              Resource.newBuilder().addAllAttributes(attributes(attributes)).build());
      long every =
          Long.parseLong(
              environment.getOrDefault("OTEL_METRIC_EXPORT_INTERVAL", USUAL_INTERVAL_MILLIS));
      push.timer.scheduleAtFixedRate(push::send, every, every, TimeUnit.MILLISECONDS);
      return Optional.of(push);
    } catch (IllegalArgumentException e) {
      System.err.println("no metrics are sent by OTLP: " + e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Where the environment says that metrics go; empty where it says nothing.
   *
   * @throws IllegalArgumentException if that is not a URL
   */
  static Optional<URI> collector(Map<String, String> environment) {
    String base = environment.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "");
    String own = environment.getOrDefault("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "");
    if (base.isBlank() && own.isBlank()) {
      return Optional.empty();
    }
    String named = own.isBlank() ? base : own;
    URI address = URI.create(own.isBlank() ? base.replaceAll("/+$", "") + "/v1/metrics" : own);
    if (!List.of("http", "https").contains(String.valueOf(address.getScheme()))
        || address.getHost() == null) {
      throw new IllegalArgumentException(
          named + " is not an address of a collector: write http://HOST:4318");
    }
    return Optional.of(address);
  }

  /** {@code key=value,key=value}, percent-encoded. */
  private static Map<String, String> headers(String text) {
    Map<String, String> headers = new TreeMap<>();
    for (String pair : text.split(",")) {
      String[] parts = pair.split("=", 2);
      if (parts.length == 2) {
        headers.put(
            parts[0].strip(), URLDecoder.decode(parts[1].strip(), StandardCharsets.UTF_8));
      }
    }
    return headers;
  }

  private void send() {
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(endpoint)
              .timeout(PATIENCE)
              .header("Content-Type", "application/x-protobuf")
              .POST(HttpRequest.BodyPublishers.ofByteArray(message().toByteArray()));
      headers.forEach(request::header);
      int status =
          client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
      note(status / 100 == 2 ? "" : "the collector answered " + status);
    } catch (IOException | RuntimeException e) {
      note(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A failure is told once, however often it happens. */
  private void note(String failure) {
    if (!failure.isEmpty() && !failure.equals(lastFailure)) {
      System.err.println("metrics could not be sent to " + endpoint + ": " + failure);
    }
    lastFailure = failure;
  }

  private ExportMetricsServiceRequest message() {
    ScopeMetrics.Builder scope = ScopeMetrics.newBuilder();
    for (MetricSnapshot snapshot : registry.scrape()) {
      metric(snapshot).ifPresent(scope::addMetrics);
    }
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder().setResource(resource).addScopeMetrics(scope))
        .build();
  }

  private Optional<Metric> metric(MetricSnapshot snapshot) {
    Metric.Builder metric =
        Metric.newBuilder()
            .setName(snapshot.getMetadata().getName())
            .setDescription(snapshot.getMetadata().getHelp());
    long now = nowNanos();
    switch (snapshot) {
      case CounterSnapshot counter -> {
        Sum.Builder sum =
            Sum.newBuilder()
                .setIsMonotonic(true)
                .setAggregationTemporality(
                    AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        counter.getDataPoints()
            .forEach(point -> sum.addDataPoints(number(point.getValue(), point.getLabels(), now)));
        metric.setSum(sum);
      }
      case GaugeSnapshot gauge -> {
        Gauge.Builder values = Gauge.newBuilder();
        gauge.getDataPoints()
            .forEach(
                point -> values.addDataPoints(number(point.getValue(), point.getLabels(), now)));
        metric.setGauge(values);
      }
      case HistogramSnapshot histogram -> {
        Histogram.Builder values =
            Histogram.newBuilder()
                .setAggregationTemporality(
                    AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        histogram.getDataPoints().forEach(point -> values.addDataPoints(buckets(point, now)));
        metric.setUnit("s").setHistogram(values);
      }
      default -> {
        return Optional.empty(); // What the run is stands in the resource.
      }
    }
    return Optional.of(metric.build());
  }

  private NumberDataPoint number(double value, Labels labels, long now) {
    return NumberDataPoint.newBuilder()
        .setAsDouble(value)
        .setStartTimeUnixNano(beginNanos)
        .setTimeUnixNano(now)
        .addAllAttributes(attributes(labels))
        .build();
  }

  private HistogramDataPoint buckets(
      HistogramSnapshot.HistogramDataPointSnapshot point, long now) {
    HistogramDataPoint.Builder data =
        HistogramDataPoint.newBuilder()
            .setCount(point.getCount())
            .setSum(point.getSum())
            .setStartTimeUnixNano(beginNanos)
            .setTimeUnixNano(now)
            .addAllAttributes(attributes(point.getLabels()));
    point.getClassicBuckets().stream()
        .forEach(
            bucket -> {
              data.addBucketCounts(bucket.getCount());
              if (Double.isFinite(bucket.getUpperBound())) {
                data.addExplicitBounds(bucket.getUpperBound());
              }
            });
    return data.build();
  }

  private static List<KeyValue> attributes(Labels labels) {
    Map<String, String> all = new TreeMap<>();
    labels.forEach(label -> all.put(label.getName(), label.getValue()));
    return attributes(all);
  }

  private static List<KeyValue> attributes(Map<String, String> all) {
    List<KeyValue> attributes = new ArrayList<>();
    all.forEach(
        (key, value) ->
            attributes.add(
                KeyValue.newBuilder()
                    .setKey(key)
                    .setValue(
                        AnyValue.newBuilder().setStringValue(value))
                    .build()));
    return attributes;
  }

  private static long nowNanos() {
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
  }

  /** Sends once more. */
  @Override
  public void close() {
    timer.shutdown();
    send();
  }
}
