package tallystick.export;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tallystick.runrecord.BlankValue;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scenario.Exporter;
import tallystick.scenario.Target;

/**
 * Every scraped sample, with the labels a Prometheus would have put beside it. Numbers by which
 * DCGM says that it has no value are left out: a dashboard would draw them.
 */
final class EngineSeries {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final String run;
  private final long originUtcNanos;
  private final List<Endpoint> endpoints;
  private final MetricTable table;
  private final Map<Integer, Long> lastMillis = new HashMap<>();
  private final Map<Integer, Map<Series, Series>> labelled = new HashMap<>();
  private long leftOut;

  private EngineSeries(Manifest manifest, List<Endpoint> endpoints, MetricTable table) {
    this.run = manifest.runId();
    this.originUtcNanos = manifest.clock().originUtcNanos();
    this.endpoints = endpoints;
    this.table = table;
  }

  /** The series of the servers under test. */
  static EngineSeries ofTargets(Manifest manifest, MetricTable table) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (Target target : manifest.targets()) {
      String instance = instance(target.metricsUrl(), "target-" + endpoints.size());
      endpoints.add(new Endpoint(ClientSeries.JOB, instance));
    }
    return new EngineSeries(manifest, endpoints, table);
  }

  /** The series of what was scraped beside them, each exporter a job of its own name. */
  static EngineSeries ofExporters(
      Manifest manifest, List<Exporter> exporters, MetricTable table) {
    List<Endpoint> endpoints =
        exporters.stream()
            .map(e -> new Endpoint(e.name(), instance(e.url(), e.name())))
            .toList();
    return new EngineSeries(manifest, endpoints, table);
  }

  /** The labels a Prometheus puts beside what it scrapes. */
  private record Endpoint(String job, String instance) {}

  /** Takes the next scrape; a failed one leaves a hole and {@code up} at 0, as in Prometheus. */
  void add(ScrapeRow row) {
    long utcMillis =
        originUtcNanos / NANOS_PER_MILLI
            + (originUtcNanos % NANOS_PER_MILLI + row.startedNanos()) / NANOS_PER_MILLI;
    if (utcMillis <= lastMillis.getOrDefault(row.target(), Long.MIN_VALUE)) {
      leftOut++;
      return;
    }
    lastMillis.put(row.target(), utcMillis);
    Map<Series, Series> known = labelled.computeIfAbsent(row.target(), any -> new HashMap<>());
    Series up = Series.of("up", Map.of(), Series.Type.GAUGE);
    table.add(labelled(known, up, row.target()), utcMillis, row.isGood() ? 1 : 0);
    for (Sample sample : row.samples()) {
      if (BlankValue.isBlank(sample)) {
        continue;
      }
      table.add(labelled(known, sample.series(), row.target()), utcMillis, sample.value());
    }
  }

  /** Scrapes that began in the same millisecond as the one before, which no Prometheus can hold. */
  long leftOut() {
    return leftOut;
  }

  private Series labelled(Map<Series, Series> known, Series series, int target) {
    return known.computeIfAbsent(
        series,
        plain -> {
          Map<String, String> labels = new TreeMap<>(plain.labels());
          Endpoint endpoint =
              target < endpoints.size()
                  ? endpoints.get(target)
                  : new Endpoint(ClientSeries.JOB, "target-" + target);
          labels.putIfAbsent("job", endpoint.job());
          labels.putIfAbsent("instance", endpoint.instance());
          labels.putIfAbsent("run", run);
          return Series.of(plain.name(), labels, plain.type());
        });
  }

  private static String instance(String url, String otherwise) {
    URI uri = URI.create(url);
    return uri.getAuthority() == null ? otherwise : uri.getAuthority();
  }
}
