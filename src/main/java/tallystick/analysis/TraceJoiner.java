package tallystick.analysis;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tallystick.analysis.result.TraceJoin.SpanTime;
import tallystick.analysis.statistics.SampleSet;
import tallystick.analysis.statistics.TimeUnits;
import tallystick.analysis.statistics.TimedSamples;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.SpanRow;
import tallystick.runrecord.TraceId;

/**
 * Joins spans to requests: first every span is read, then every request. Memory grows with the
 * spans, some 200 bytes for each, up to {@link #MOST_SPANS}. Not safe for use by several threads.
 */
final class TraceJoiner {
  /** Beyond this the join is refused, not cut: a part of the spans would be a biased sample. */
  static final int MOST_SPANS = 2_000_000;

  private static final double NANOS = 1e9;

  private final Map<TraceId, SpanRow> waiting = new HashMap<>();
  private final Set<TraceId> ambiguous = new HashSet<>();
  private final Map<SpanTime, TimedSamples> samples = new EnumMap<>(SpanTime.class);
  private long spans;
  private long requests;
  private long joined;

  /**
   * Nothing read so far.
   *
   * @param time units of the window
   */
  TraceJoiner(TimeUnits time) {
    for (SpanTime name : SpanTime.values()) {
      samples.put(name, new TimedSamples(new SampleSet(), time));
    }
  }

  void read(SpanRow span) {
    if (isTooMany()) {
      return;
    }
    SpanRow before = waiting.putIfAbsent(span.traceId(), span);
    if (before == null) {
      spans++;
    } else if (!before.spanId().equals(span.spanId())) {
      // Several answers of one request share its trace: none of them is the request's own span.
      spans++;
      ambiguous.add(span.traceId());
    }
  }

  /** Takes any request of the record, so that the spans of the warm-up find theirs too. */
  void read(RequestRow row, boolean isMeasured, int choices) {
    boolean isCounted = isMeasured && choices == 1 && row.ending().outcome() == Outcome.OK;
    requests += isCounted ? 1 : 0;
    if (spans == 0) {
      return;
    }
    TraceId trace = TraceId.of(row.requestId());
    SpanRow span = waiting.remove(trace);
    if (isCounted && span != null && !ambiguous.contains(trace) && row.times().written() >= 0) {
      joined++;
      join(row, span);
    }
  }

  boolean isTooMany() {
    return spans >= MOST_SPANS;
  }

  long requests() {
    return requests;
  }

  long joined() {
    return joined;
  }

  long spans() {
    return spans;
  }

  /** Traces no request of the record belongs to; complete only after the requests were read. */
  long unmatched() {
    return waiting.size();
  }

  TimedSamples samples(SpanTime part) {
    return samples.get(part);
  }

  private void join(RequestRow row, SpanRow span) {
    long written = row.times().written();
    long ended = row.times().ended();
    add(SpanTime.TTFT, span.ttftSeconds(), ended);
    add(SpanTime.QUEUE, span.queueSeconds(), ended);
    add(SpanTime.PREFILL, span.prefillSeconds(), ended);
    add(SpanTime.DECODE, span.decodeSeconds(), ended);
    add(SpanTime.INFERENCE, span.inferenceSeconds(), ended);
    add(SpanTime.E2E, span.e2eSeconds(), ended);
    if (row.hasFirstToken() && isTold(span.ttftSeconds())) {
      difference(
          SpanTime.TTFT_OUTSIDE,
          (row.firstTokenNanos() - written) / NANOS - span.ttftSeconds(),
          ended);
    }
    if (row.hasToken() && isTold(span.e2eSeconds())) {
      difference(SpanTime.E2E_OUTSIDE, (end(row) - written) / NANOS - span.e2eSeconds(), ended);
    }
    if (isTold(span.ttftSeconds())
        && isTold(span.queueSeconds())
        && isTold(span.prefillSeconds())) {
      difference(
          SpanTime.API_SERVER,
          span.ttftSeconds() - span.queueSeconds() - span.prefillSeconds(),
          ended);
    }
  }

  /** The engine's last step may carry no text where a stop ends the answer. */
  private static long end(RequestRow row) {
    return row.ending().finishReason().equals("stop") ? row.times().ended() : row.lastTokenNanos();
  }

  private void add(SpanTime part, double seconds, long atNanos) {
    if (isTold(seconds)) {
      difference(part, seconds, atNanos);
    }
  }

  /** A difference of two clocks may be negative; a duration the engine told may not. */
  private void difference(SpanTime part, double seconds, long atNanos) {
    samples.get(part).add(Math.round(seconds * NANOS), atNanos);
  }

  private static boolean isTold(double seconds) {
    return Double.isFinite(seconds) && seconds >= 0;
  }
}
