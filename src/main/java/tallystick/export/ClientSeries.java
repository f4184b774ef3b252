package tallystick.export;

import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tallystick.runrecord.ClientMetric;
import tallystick.runrecord.EngineEdges;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;

/**
 * The client's account as series, one point a second, so that both sides fit in one dashboard.
 *
 * <p>Counters and histograms count what happened up to each second, warm-up included. Histograms
 * have the engine's own edges where it exposes the twin.
 */
final class ClientSeries {
  /** The job label of everything a run exports. */
  static final String JOB = "tallystick";

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long LONGEST_LULL_SECONDS = 3600;

  private final Manifest manifest;
  private final EngineEdges edges;
  private final SortedMap<String, SecondCounts> counts = new TreeMap<>();
  private final SortedSet<Long> eventful = new TreeSet<>();

  ClientSeries(Manifest manifest, EngineEdges edges) {
    this.manifest = manifest;
    this.edges = edges;
  }

  /** Takes one finished request. */
  void add(RequestRow row) {
    ClientMetric.of(
        row,
        (metric, labels, atNanos, amount) -> {
          series(metric, labels)
              .add(second(atNanos), metric.isHistogram() ? 1 : Math.round(amount), amount);
        });
  }

  /**
   * Writes every second from the first event to the last into the table, but for stretches of more
   * than an hour in which nothing happens: one row that lies years away would fill any memory.
   *
   * @return seconds left out
   */
  long fill(MetricTable table) {
    long leftOut = 0;
    long next = eventful.isEmpty() ? 0 : eventful.first();
    for (long event : eventful) {
      if (event - next > LONGEST_LULL_SECONDS) {
        leftOut += event - next;
        next = event;
      }
      for (; next <= event; next++) {
        write(table, next);
      }
    }
    return leftOut;
  }

  private void write(MetricTable table, long second) {
    long utcMillis =
        Math.floorDiv(manifest.clock().originUtcNanos(), 1_000_000L) + second * 1000;
    for (SecondCounts each : counts.values()) {
      each.advanceTo(second);
      each.write(table, utcMillis);
    }
  }

  /** The first grid second at which an event has happened. */
  private long second(long nanos) {
    long second = Math.ceilDiv(nanos, SECOND_NANOS);
    eventful.add(second);
    return second;
  }

  private SecondCounts series(ClientMetric metric, SortedMap<String, String> labels) {
    return counts.computeIfAbsent(
        metric.text() + labels,
        any -> {
          Map<String, String> all = new TreeMap<>(labels);
          all.put("job", JOB);
          all.put("instance", "client");
          all.put("run", manifest.runId());
          Type type = metric.isHistogram() ? Type.HISTOGRAM : Type.COUNTER;
          return new SecondCounts(
              Series.of(metric.text(), all, type), metric.bounds(edges));
        });
  }
}
