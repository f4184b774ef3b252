package tallystick.simengine;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The families of the process and of the HTTP server: everything that is not the engine's. */
final class ServerMetrics {
  private static final Set<String> UNCOUNTED =
      Set.of("/metrics", "/health", "/load", "/ping", "/version", "/server_info");

  private final MetricRegistry process;
  private final MetricRegistry http;
  private final double createdSeconds;
  private final boolean isShown;

  /**
   * What the server of an engine shows.
   *
   * @param createdSeconds when its series were made, seconds since 1970
   */
  ServerMetrics(EngineKind kind, double createdSeconds) {
    isShown = kind.showsProcess();
    Map<Boolean, List<MetricFamily>> isOfHttp =
        MetricFamily.of(EngineKind.VLLM, platform(), 1).stream()
            .filter(family -> !family.isOfEngine())
            .collect(Collectors.partitioningBy(family -> family.name().startsWith("http_")));
    process = new MetricRegistry(isOfHttp.get(false), MetricNames.CURRENT, createdSeconds);
    http = new MetricRegistry(isOfHttp.get(true), MetricNames.CURRENT, createdSeconds);
    this.createdSeconds = createdSeconds;
    process.take(process.series("python_info"), 1);
  }

  /** The exposition in Prometheus text with the engine's families in their place. */
  String exposition(MetricRegistry engine) {
    return isShown
        ? processNow().text() + engine.snapshot().text() + http.snapshot().text()
        : engine.snapshot().text();
  }

  private MetricRegistry.Snapshot processNow() {
    synchronized (process) {
      process.take(process.series("process_start_time_seconds"), createdSeconds);
      process.take(process.series("process_cpu_seconds"), cpuSeconds());
      process.take(
          process.series("process_resident_memory_bytes"), Runtime.getRuntime().totalMemory());
      process.take(
          process.series("process_virtual_memory_bytes"), Runtime.getRuntime().maxMemory());
    }
    return process.snapshot();
  }

  /**
   * An answered HTTP request.
   *
   * @param handler the route's path, {@code none} if there is no such route
   * @param seconds from the request's head to the end of the answer
   */
  void answered(
      String handler, String method, int status, double seconds, double nowSeconds) {
    if (UNCOUNTED.contains(handler)) {
      return;
    }
    synchronized (http) {
      String statusClass = status / 100 + "xx";
      http.take(
          http.seriesOf("http_requests", List.of(handler, method, statusClass), nowSeconds), 1);
      http.take(http.series("http_request_duration_highr_seconds"), seconds);
      http.take(
          http.seriesOf("http_request_duration_seconds", List.of(handler, method), nowSeconds),
          seconds);
    }
  }

  /** Sizes of an answered HTTP request, by their content-length headers. */
  void sized(String handler, long requestBytes, long responseBytes, double nowSeconds) {
    if (UNCOUNTED.contains(handler)) {
      return;
    }
    synchronized (http) {
      List<String> labels = List.of(handler);
      http.take(
          http.seriesOf("http_request_size_bytes", labels, nowSeconds), requestBytes);
      http.take(
          http.seriesOf("http_response_size_bytes", labels, nowSeconds), responseBytes);
    }
  }

  /** Fills {@code python_info}: the family is vLLM's, the platform told is the real one. */
  private static Map<String, List<String>> platform() {
    Runtime.Version version = Runtime.version();
    return Map.of(
        "implementation", List.of("Java"),
        "major", List.of(Integer.toString(version.feature())),
        "minor", List.of(Integer.toString(version.interim())),
        "patchlevel", List.of(Integer.toString(version.update())),
        "version", List.of(version.toString()));
  }

  private static double cpuSeconds() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(duration -> duration.toNanos() / 1e9)
        .orElse(0.0);
  }
}
