package tallystick.runrecord;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The client's account as metrics of Prometheus: while a run goes on, and when its record is
 * exported. Unit: seconds. Label {@code phase} tells the warm-up apart; {@code from="intended"}
 * counts from when the plan wanted the request to start, {@code from="started"} from when it did.
 */
public enum ClientMetric {
  STARTED("tally_requests_started_total", "Requests that were started."),
  ENDED("tally_requests_ended_total", "Requests that are over, by outcome."),
  PROMPT_TOKENS("tally_prompt_tokens_total", "Prompt tokens, as the server counts them."),
  COMPLETION_TOKENS("tally_completion_tokens_total", "Output tokens, as the server counts them."),
  CHUNKS("tally_chunks_total", "Chunks with content."),
  LATENESS("tally_request_lateness_seconds", "How late a request started by its plan."),
  CHUNK_GAP("tally_chunk_gap_seconds", "Time between chunks of one answer.", MetricConcept.ITL),
  FIRST_TOKEN("tally_time_to_first_token_seconds", "Time to first token.", MetricConcept.TTFT),
  E2E("tally_e2e_request_latency_seconds", "Time to the last token.", MetricConcept.E2E);

  private static final double NANOS_PER_SECOND = 1e9;

  /** No engine has its like: from what nobody notices to a client that is lost. */
  private static final List<Double> LATE_EDGES =
      List.of(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);

  private final String text;
  private final String help;
  private final Optional<MetricConcept> twin;

  ClientMetric(String text, String help) {
    this(text, help, Optional.empty());
  }

  ClientMetric(String text, String help, MetricConcept twin) {
    this(text, help, Optional.of(twin));
  }

  ClientMetric(String text, String help, Optional<MetricConcept> twin) {
    this.text = text;
    this.help = help;
    this.twin = twin;
  }

  /** Its name. */
  public String text() {
    return text;
  }

  /** What it counts. */
  public String help() {
    return help;
  }

  /** Whether it is no counter. */
  public boolean isHistogram() {
    return twin.isPresent() || this == LATENESS;
  }

  /** Its bucket edges, those of the engine where that measures the same; none for a counter. */
  public List<Double> bounds(EngineEdges edges) {
    return twin.map(edges::of).orElse(isHistogram() ? LATE_EDGES : List.of());
  }

  /** Takes what requests add. */
  @FunctionalInterface
  public interface Sink {
    /**
     * One addition.
     *
     * @param atNanos when, after the run's origin
     * @param amount of a counter; of a histogram the seconds it observes
     */
    void add(ClientMetric metric, SortedMap<String, String> labels, long atNanos, double amount);
  }

  /** What a finished request adds, in no order of time. */
  public static void of(RequestRow row, Sink sink) {
    RequestRow.Times times = row.times();
    SortedMap<String, String> phase = new TreeMap<>(Map.of("phase", row.phase()));
    sink.add(STARTED, phase, times.started(), 1);
    if (times.intended() >= 0) {
      double late = Math.max(0, seconds(times.intended(), times.started()));
      sink.add(LATENESS, phase, times.started(), late);
    }
    sink.add(ENDED, with(phase, "outcome", word(row)), times.ended(), 1);
    if (row.usage().isKnown()) {
      sink.add(PROMPT_TOKENS, phase, times.ended(), row.usage().promptTokens());
      sink.add(COMPLETION_TOKENS, phase, times.ended(), row.usage().completionTokens());
    }
    long[] arrivals = row.chunks().arrivalNanos();
    for (int i = 0; i < arrivals.length; i++) {
      sink.add(CHUNKS, phase, arrivals[i], 1);
      if (i > 0) {
        sink.add(CHUNK_GAP, phase, arrivals[i], seconds(arrivals[i - 1], arrivals[i]));
      }
    }
    latency(row, sink, with(phase, "from", "intended"), times.intended());
    latency(row, sink, with(phase, "from", "started"), times.started());
  }

  private static void latency(
      RequestRow row, Sink sink, SortedMap<String, String> labels, long fromNanos) {
    if (row.hasFirstToken() && fromNanos >= 0) {
      long first = row.firstTokenNanos();
      sink.add(FIRST_TOKEN, labels, first, seconds(fromNanos, first));
    }
    if (row.hasToken() && fromNanos >= 0) {
      long last = row.lastTokenNanos();
      sink.add(E2E, labels, last, seconds(fromNanos, last));
    }
  }

  private static String word(RequestRow row) {
    return row.ending().outcome().name().toLowerCase(Locale.ROOT);
  }

  private static SortedMap<String, String> with(
      SortedMap<String, String> labels, String name, String value) {
    SortedMap<String, String> all = new TreeMap<>(labels);
    all.put(name, value);
    return all;
  }

  private static double seconds(long fromNanos, long toNanos) {
    return (toNanos - fromNanos) / NANOS_PER_SECOND;
  }
}
