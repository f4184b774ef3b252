package tallystick.export;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.Series;
import tallystick.runrecord.Series.Type;

/**
 * The client's account as series, one point a second, so that both sides fit in one dashboard.
 *
 * <p>Counters and histograms count what happened up to each second, warm-up included and told apart
 * by the label {@code phase}. Unit: seconds. Histograms have the engine's own edges where it
 * exposes the twin. {@code from="intended"} counts from when the plan wanted the request to start,
 * {@code from="started"} from when it did.
 */
final class ClientSeries {
  /** The job label of everything a run exports. */
  static final String JOB = "tallystick";

  private static final double NANOS_PER_SECOND = 1e9;
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
    RequestRow.Times times = row.times();
    Map<String, String> phase = Map.of("phase", row.phase());
    String outcome = row.ending().outcome().name().toLowerCase(Locale.ROOT);
    Map<String, String> ended = Map.of("phase", row.phase(), "outcome", outcome);
    count("tally_requests_started_total", phase, times.started(), 1);
    count("tally_requests_ended_total", ended, times.ended(), 1);
    if (row.usage().isKnown()) {
      count("tally_prompt_tokens_total", phase, times.ended(), row.usage().promptTokens());
      count("tally_completion_tokens_total", phase, times.ended(), row.usage().completionTokens());
    }
    long[] arrivals = row.chunks().arrivalNanos();
    for (int i = 0; i < arrivals.length; i++) {
      count("tally_chunks_total", phase, arrivals[i], 1);
      if (i > 0) {
        observe("tally_chunk_gap_seconds", edges.gap(), phase, arrivals[i], arrivals[i - 1]);
      }
    }
    addLatency(row, "intended", times.intended());
    addLatency(row, "started", times.started());
  }

  private void addLatency(RequestRow row, String from, long fromNanos) {
    Map<String, String> labels = Map.of("phase", row.phase(), "from", from);
    if (row.hasFirstToken() && fromNanos >= 0) {
      String name = "tally_time_to_first_token_seconds";
      observe(name, edges.firstToken(), labels, row.firstTokenNanos(), fromNanos);
      String whole = "tally_e2e_request_latency_seconds";
      observe(whole, edges.whole(), labels, row.lastTokenNanos(), fromNanos);
    }
  }

  /**
   * Writes every second from the first event to the last into the table, but for stretches of more
   * than an hour in which nothing happens: one row that lies years away would fill any memory.
   *
   * @return seconds left out
   */
  long fill(MetricTable table) {
    counts.values().forEach(each -> each.begin());
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

  private void count(String name, Map<String, String> labels, long atNanos, long amount) {
    series(name, labels, List.of()).add(second(atNanos), amount, Double.NaN);
  }

  private void observe(
      String name, List<Double> bounds, Map<String, String> labels, long atNanos, long fromNanos) {
    double seconds = (atNanos - fromNanos) / NANOS_PER_SECOND;
    series(name, labels, bounds).add(second(atNanos), 1, seconds);
  }

  /** The first grid second at which an event has happened. */
  private long second(long nanos) {
    long second = Math.ceilDiv(nanos, SECOND_NANOS);
    eventful.add(second);
    return second;
  }

  private SecondCounts series(String name, Map<String, String> labels, List<Double> bounds) {
    return counts.computeIfAbsent(
        name + new TreeMap<>(labels),
        any -> {
          Map<String, String> all = new TreeMap<>(labels);
          all.put("job", JOB);
          all.put("instance", "client");
          all.put("run", manifest.runId());
          Type type = bounds.isEmpty() ? Type.COUNTER : Type.HISTOGRAM;
          return new SecondCounts(Series.of(name, all, type), bounds);
        });
  }
}
