package tallystick.analysis.result;

import java.util.EnumMap;
import java.util.Map;

/** A part of a wait, in the order of time; the parts add up to the whole. */
public enum WaitPart implements Choice {
  /** The wait itself. */
  WHOLE,
  /** Actual less intended start. */
  LATENESS,
  CONNECT,
  TLS("TLS"),
  WRITE,
  /** From request written less the engine's own time. */
  OUTSIDE("outside the engine"),
  /** In the pool that computed the prompt before the engine that answers was asked. */
  PREFILL_POOL("prefill pool, whole request"),
  /** Outside the engine and in its API server, where nobody tells the two apart. */
  OUTSIDE_AND_API_SERVER,
  /** All of the way and of the engine, where nobody tells them apart. */
  AFTER_WRITTEN("after the request was written"),
  API_SERVER("API server + wait for next scheduler step"),
  QUEUE,
  PREFILL,
  DECODE,
  /** What more tokens add to decode. */
  ANSWER_LENGTH("more tokens"),
  /** What slower tokens add to decode. */
  TOKEN_PACE("slower tokens");

  /** What an engine times inside TTFT. */
  public static final Map<WaitPart, Latency> OF_TTFT =
      new EnumMap<>(Map.of(QUEUE, Latency.QUEUE, PREFILL, Latency.PREFILL));

  /** What an engine times inside E2E. */
  public static final Map<WaitPart, Latency> OF_E2E =
      new EnumMap<>(Map.of(QUEUE, Latency.QUEUE, PREFILL, Latency.PREFILL, DECODE, Latency.DECODE));

  private final String words;

  WaitPart() {
    this("");
  }

  WaitPart(String words) {
    this.words = words;
  }

  /** Whether the client measured it, or it lies on the way to the engine. */
  public boolean isBeforeEngine() {
    return switch (this) {
      case LATENESS, CONNECT, TLS, WRITE, OUTSIDE -> true;
      case WHOLE, PREFILL_POOL, OUTSIDE_AND_API_SERVER, AFTER_WRITTEN, API_SERVER, QUEUE,
          PREFILL, DECODE, ANSWER_LENGTH, TOKEN_PACE -> false;
    };
  }

  @Override
  public String words() {
    return words.isEmpty() ? Choice.super.words() : words;
  }
}
