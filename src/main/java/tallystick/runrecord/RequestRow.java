package tallystick.runrecord;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * One finished request, as the client saw it; one line of {@code requests.ndjson}.
 *
 * @param index position in the plan
 * @param phase the plan's phase
 * @param requestClass the plan's class
 * @param user whose request it was
 * @param target index into the manifest's targets
 * @param requestId what was sent as {@code X-Request-Id}
 * @param promptTokens prompt tokens the plan asked for; {@link #UNKNOWN} for given text
 * @param maxTokens {@code max_tokens} that was sent
 * @param times when each step happened
 * @param chunks the content chunks that arrived
 * @param usage what the server counted
 * @param ending how it ended
 * @param engine what the engine said of this request in its usage chunk
 */
public record RequestRow(
    int index,
    String phase,
    String requestClass,
    int user,
    int target,
    String requestId,
    int promptTokens,
    int maxTokens,
    Times times,
    Chunks chunks,
    Usage usage,
    Ending ending,
    EngineTimings engine) {

  /** A count nobody told. */
  public static final int UNKNOWN = -1;

  /** A moment that never came. */
  public static final long NEVER = -1;

  /**
   * Moments of one request, nanoseconds after the run's origin on the client's monotonic clock;
   * {@link #NEVER} where the request did not get there.
   *
   * @param intended when the plan wanted it to start; in a closed loop the end of the previous one
   * @param started when the client began, never before {@code intended}
   * @param connectStarted when a new connection was begun; NEVER on a pooled one
   * @param connected when the new connection stood, TLS included
   * @param written when the last piece of the request, 8 KiB or less, began to be handed to the
   *     socket: no server has the whole request before
   * @param headers when the response headers had been read
   * @param firstByte when the body's first byte was read
   * @param ended when the request was over, whatever the outcome
   * @param tlsStarted when TLS began on a new connection; NEVER without TLS
   */
  public record Times(
      long intended,
      long started,
      long connectStarted,
      long connected,
      long written,
      long headers,
      long firstByte,
      long ended,
      long tlsStarted) {

    private Times onClock(LongUnaryOperator clock) {
      return new Times(
          at(intended, clock), at(started, clock), at(connectStarted, clock),
          at(connected, clock), at(written, clock), at(headers, clock),
          at(firstByte, clock), at(ended, clock), at(tlsStarted, clock));
    }

    private static long at(long moment, LongUnaryOperator clock) {
      return moment == NEVER ? NEVER : clock.applyAsLong(moment);
    }

    /** Whether the request opened a connection of its own. */
    public boolean isOnNewConnection() {
      return connectStarted >= 0 && connected >= connectStarted;
    }

    /** Nanoseconds from the begin of TLS until the new connection stood; 0 without either. */
    public long tlsNanos() {
      return isOnNewConnection() && tlsStarted >= 0 ? connected - tlsStarted : 0;
    }

    /** Nanoseconds for the new connection itself, without TLS; 0 on a pooled one. */
    public long connectNanos() {
      return isOnNewConnection() ? connected - connectStarted - tlsNanos() : 0;
    }
  }

  /** The same request as if it had been due when the client began it. */
  public RequestRow dueWhenStarted() {
    Times due =
        new Times(
            times.started, times.started, times.connectStarted, times.connected, times.written,
            times.headers, times.firstByte, times.ended, times.tlsStarted);
    return new RequestRow(
        index, phase, requestClass, user, target, requestId, promptTokens, maxTokens, due, chunks,
        usage, ending, engine);
  }

  /**
   * Content chunks: those with text, reasoning or tool-call text. Role and usage chunks are none.
   *
   * @param arrivalNanos arrival of each chunk after the run's origin, ascending
   * @param tokens tokens in each chunk, {@link #UNKNOWN} where the server did not say
   * @param coalesced chunks that were read from the socket together with an earlier event;
   *     {@link #UNKNOWN} where it was not observed
   * @param longestReadLagNanos longest time from the socket read that completed an event, its
   *     stamp, until the event was looked at; {@link #NEVER} where it was not observed
   * @param thinking how many chunks of thinking came before the first of the answer itself
   */
  public record Chunks(
      long[] arrivalNanos, int[] tokens, int coalesced, long longestReadLagNanos, int thinking) {
    /** No chunk at all. */
    public static final Chunks NONE = new Chunks(new long[0], new int[0], 0);

    /** Chunks of an answer without thinking, whose read lag was not observed. */
    public Chunks(long[] arrivalNanos, int[] tokens, int coalesced) {
      this(arrivalNanos, tokens, coalesced, NEVER, 0);
    }

    public Chunks {
      if (arrivalNanos.length != tokens.length) {
        throw new IllegalArgumentException(
            arrivalNanos.length + " arrivals but " + tokens.length + " token counts");
      }
      if (thinking < 0 || thinking > tokens.length) {
        throw new IllegalArgumentException(
            thinking + " of " + tokens.length + " chunks are thinking");
      }
    }

    /** Tokens of the thinking before the answer; {@link #UNKNOWN} where a chunk did not say. */
    private int thinkingTokens() {
      int sum = 0;
      for (int i = 0; i < thinking; i++) {
        if (tokens[i] < 0) {
          return UNKNOWN;
        }
        sum += tokens[i];
      }
      return sum;
    }

    /** Number of chunks. */
    public int size() {
      return arrivalNanos.length;
    }

    /** The longest time between two neighbours; {@link #NEVER} of less than two chunks. */
    public long largestGapNanos() {
      long largest = NEVER;
      for (int i = 1; i < arrivalNanos.length; i++) {
        largest = Math.max(largest, arrivalNanos[i] - arrivalNanos[i - 1]);
      }
      return largest;
    }
  }

  /**
   * The server's {@code usage} object; {@link #UNKNOWN} where it sent none.
   *
   * @param promptTokens prompt tokens
   * @param completionTokens output tokens
   * @param cachedTokens prompt tokens found in the prefix cache
   * @param reasoningTokens output tokens of its thinking
   */
  public record Usage(
      int promptTokens, int completionTokens, int cachedTokens, int reasoningTokens) {
    /** One that does not tell of thinking. */
    public Usage(int promptTokens, int completionTokens, int cachedTokens) {
      this(promptTokens, completionTokens, cachedTokens, UNKNOWN);
    }

    /** A server that sent no usage. */
    public static final Usage NONE = new Usage(UNKNOWN, UNKNOWN, UNKNOWN);

    /** Whether the server sent prompt and output counts. */
    public boolean isKnown() {
      return promptTokens >= 0 && completionTokens >= 0;
    }
  }

  /**
   * How the request ended.
   *
   * @param outcome the kind of end
   * @param status HTTP status; 0 where none arrived
   * @param finishReason the server's {@code finish_reason}; empty where none arrived
   * @param detail excerpt of the error body or the exception; empty when there is nothing to say
   * @param oddities what the stream did beside the protocol without failing
   */
  public record Ending(
      Outcome outcome, int status, String finishReason, String detail, List<Oddity> oddities) {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    public Ending {
      oddities = List.copyOf(oddities);
    }

    /**
     * Whether the server took the request and did not do it, under its load or by a fault of its
     * own: nothing was wrong with what was asked.
     */
    public boolean isFailureOfServer() {
      return switch (outcome) {
        case HTTP_ERROR -> status == TOO_MANY_REQUESTS || status >= SERVER_ERROR;
        case TIMED_OUT, NO_ANSWER, CUT_MID_STREAM, MALFORMED_CHUNK, ERROR_EVENT, EMPTY_STREAM,
            DONE_MISSING -> true;
        case OK, REFUSED, REDIRECTED, COMPRESSED, NOT_A_STREAM, CLIENT_CANCELLED -> false;
      };
    }

    /** An end with nothing odd about it. */
    public Ending(Outcome outcome, int status, String finishReason, String detail) {
      this(outcome, status, finishReason, detail, List.of());
    }
  }

  /** Things that did not end a request but may make its figures doubtful. */
  public enum Oddity {
    /** Events came after the {@code [DONE]} marker. */
    EVENTS_AFTER_DONE,
    /**
     * The request went out twice: a connection used before was dead, no byte of an answer had come.
     * Its times are those of the second attempt, but for its start.
     */
    RESENT,
    /** Bytes that make no event came after the {@code [DONE]} marker. */
    BYTES_AFTER_DONE,
    /** The answer was whole, but the {@code [DONE]} marker never came. */
    DONE_MISSING,
    /** The answer was over, but its connection stayed open until the client left it. */
    LEFT_OPEN,
    /** Chunks of one stream carried different ids. */
    CHANGING_ID,
    /** Usage was asked for and did not come. */
    USAGE_MISSING,
    /** The tokens of the chunks do not add up to the usage. */
    USAGE_CONTRADICTS_CHUNKS,
    /** There were more content chunks than output tokens. */
    MORE_CHUNKS_THAN_TOKENS
  }

  /**
   * The engine's own account of this request, from vLLM's {@code --enable-per-request-metrics};
   * seconds on the engine's clock, NaN where absent.
   *
   * @param scheduledToFirstTokenSeconds {@code time_to_first_token_ms}: from scheduled, not arrival
   * @param decodeSeconds {@code generation_time_ms}
   * @param queueSeconds {@code queue_time_ms}
   * @param meanItlSeconds {@code mean_itl_ms}
   */
  public record EngineTimings(
      double scheduledToFirstTokenSeconds,
      double decodeSeconds,
      double queueSeconds,
      double meanItlSeconds) {
    /** An engine that said nothing. */
    public static final EngineTimings NONE =
        new EngineTimings(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  /** The same request on a clock whose origin lies so much earlier. */
  public RequestRow shifted(long nanos) {
    return onClock(at -> at + nanos);
  }

  /** The same request on another clock, which tells what it shows at a moment of this one. */
  public RequestRow onClock(LongUnaryOperator clock) {
    long[] arrivals = Arrays.stream(chunks.arrivalNanos()).map(clock).toArray();
    return new RequestRow(
        index, phase, requestClass, user, target, requestId, promptTokens, maxTokens,
        times.onClock(clock),
        new Chunks(
            arrivals, chunks.tokens(), chunks.coalesced(), chunks.longestReadLagNanos(),
            chunks.thinking()),
        usage, ending, engine);
  }

  /**
   * How many output tokens it had: from usage, else from the chunks if each told; {@link #UNKNOWN}
   * otherwise, never the number of chunks.
   */
  public int outputTokens() {
    if (usage.completionTokens() >= 0) {
      return usage.completionTokens();
    }
    int sum = 0;
    for (int tokens : chunks.tokens()) {
      if (tokens < 0) {
        return UNKNOWN;
      }
      sum += tokens;
    }
    return chunks.size() == 0 ? UNKNOWN : sum;
  }

  /**
   * Output tokens that came after the first chunk's, which came with it at once; {@link #UNKNOWN}
   * where nobody told how many those are. They are one where there is a chunk for each token.
   */
  public int laterTokens() {
    int tokens = outputTokens();
    if (tokens < 1 || chunks.size() == 0) {
      return UNKNOWN;
    }
    if (chunks.size() == 1) {
      return 0;
    }
    int told = chunks.tokens()[0];
    boolean isUntold = told == UNKNOWN && chunks.size() < tokens;
    int later = tokens - Math.max(1, told);
    return isUntold || later < 0 ? UNKNOWN : later;
  }

  /**
   * TPOT: from the first to the last chunk for each token that came after the first chunk; {@link
   * #UNKNOWN} where no token is known to have come later.
   */
  public long timePerTokenNanos() {
    int later = laterTokens();
    return later > 0 ? (lastTokenNanos() - firstTokenNanos()) / later : UNKNOWN;
  }

  /** Whether at least one content chunk arrived. */
  public boolean hasFirstToken() {
    return chunks.size() > 0;
  }

  /** Whether a good answer came whole: nobody outside the server knows when its tokens came. */
  public boolean isUnstreamed() {
    return ending.outcome() == Outcome.OK && chunks.size() == 0;
  }

  /** Whether any of an answer's tokens have come, at a known moment or not. */
  public boolean hasToken() {
    return hasFirstToken() || isUnstreamed();
  }

  /** Arrival of the first content chunk; {@link #NEVER} if none came. */
  public long firstTokenNanos() {
    return chunks.size() == 0 ? NEVER : chunks.arrivalNanos()[0];
  }

  /** Whether it is known to have thought before it answered. */
  public boolean hasThought() {
    return chunks.thinking() > 0 || isUnstreamed() && usage.reasoningTokens() > 0;
  }

  /**
   * Arrival of the first chunk of the answer itself, which is the first of all without thinking;
   * {@link #NEVER} if none came.
   */
  public long answerNanos() {
    return chunks.thinking() == chunks.size() ? NEVER : chunks.arrivalNanos()[chunks.thinking()];
  }

  /**
   * Output tokens of its thinking: as the server counted them, else those of the chunks before the
   * answer; {@link #UNKNOWN} where nobody told a count that can be, no more than all its output.
   */
  public int thinkingTokens() {
    int counted = isUnstreamed() ? UNKNOWN : chunks.thinkingTokens();
    int told = usage.reasoningTokens() >= 0 ? usage.reasoningTokens() : counted;
    return told <= outputTokens() ? told : UNKNOWN;
  }

  /**
   * Arrival of the last content chunk, or of the last byte of an answer that came whole; {@link
   * #NEVER} if none came.
   */
  public long lastTokenNanos() {
    long whole = isUnstreamed() ? times.ended() : NEVER;
    return chunks.size() == 0 ? whole : chunks.arrivalNanos()[chunks.size() - 1];
  }
}
