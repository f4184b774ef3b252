package tallystick.export;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;

/** Every scraped sample, with the labels a Prometheus would have put beside it. */
final class EngineSeries {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final Manifest manifest;
  private final MetricTable table;
  private final Map<Integer, Long> lastMillis = new HashMap<>();
  private final Map<Integer, Map<Series, Series>> labelled = new HashMap<>();
  private long dropped;

  EngineSeries(Manifest manifest, MetricTable table) {
    this.manifest = manifest;
    this.table = table;
  }

  /** Takes the next scrape; a failed one leaves a hole and {@code up} at 0, as in Prometheus. */
  void add(ScrapeRow row) {
    long utcMillis =
        (manifest.clock().originUtcNanos() + row.startedNanos()) / NANOS_PER_MILLI;
    if (utcMillis <= lastMillis.getOrDefault(row.target(), Long.MIN_VALUE)) {
      dropped++;
      return;
    }
    lastMillis.put(row.target(), utcMillis);
    Map<Series, Series> known = labelled.computeIfAbsent(row.target(), any -> new HashMap<>());
    Series up = Series.of("up", Map.of(), Series.Type.GAUGE);
    table.add(labelled(known, up, row.target()), utcMillis, row.isGood() ? 1 : 0);
    for (Sample sample : row.samples()) {
      table.add(labelled(known, sample.series(), row.target()), utcMillis, sample.value());
    }
  }

  /** Scrapes that began in the same millisecond as the one before, which no Prometheus can hold. */
  long dropped() {
    return dropped;
  }

  private Series labelled(Map<Series, Series> known, Series series, int target) {
    return known.computeIfAbsent(
        series,
        plain -> {
          Map<String, String> labels = new TreeMap<>(plain.labels());
          labels.putIfAbsent("job", ClientSeries.JOB);
          labels.putIfAbsent("instance", instance(target));
          labels.putIfAbsent("run", manifest.runId());
          return Series.of(plain.name(), labels, plain.type());
        });
  }

  private String instance(int target) {
    if (target >= manifest.targets().size()) {
      return "target-" + target;
    }
    URI uri = URI.create(manifest.targets().get(target).metricsUrl());
    return uri.getAuthority() == null ? "target-" + target : uri.getAuthority();
  }
}
