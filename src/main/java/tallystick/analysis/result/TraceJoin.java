package tallystick.analysis.result;

import java.util.List;

/**
 * The engine's spans joined to the client's requests one by one, by the trace id the client sent.
 * Exact for each request: no bucket, no pairing of percentiles.
 *
 * @param listened whether the run took traces at all
 * @param available whether any request was joined
 * @param absence why not; empty when available
 * @param reception what the receiver noted when it closed; empty if it did not
 * @param requests measured requests that ended well and asked for one answer
 * @param joined those of them whose span came
 * @param spans different spans that came, those of the warm-up too
 * @param unmatchedSpans those whose request is not in the record: somebody else's traffic
 * @param parts what the joined requests say
 * @param stamp what the ledger says of both sides
 */
public record TraceJoin(
    boolean listened,
    boolean available,
    String absence,
    String reception,
    long requests,
    long joined,
    long spans,
    long unmatchedSpans,
    List<Part> parts,
    Stamp stamp) {

  /** What a joined request tells, in the order it is shown. */
  public enum SpanTime implements Choice {
    /** The client's time from request written less the engine's TTFT. */
    TTFT_OUTSIDE,
    TTFT,
    /** TTFT less queue and prefill. */
    API_SERVER,
    QUEUE,
    PREFILL,
    DECODE,
    INFERENCE,
    E2E,
    /** The client's time from request written less the engine's E2E. */
    E2E_OUTSIDE
  }

  /**
   * One quantity over the joined requests, in seconds.
   *
   * @param name which
   * @param samples one for each joined request that has it
   * @param histogramMean the same from the engine's histograms over the window
   * @param difference mean of the samples less {@code histogramMean}
   */
  public record Part(
      SpanTime name, Distribution samples, Figure histogramMean, Figure difference) {}

  public TraceJoin {
    parts = List.copyOf(parts);
  }

  /** A run that was not asked to take traces. */
  public static TraceJoin absent(String why) {
    return new TraceJoin(false, false, why, "", 0, 0, 0, 0, List.of(), Stamp.NONE);
  }
}
