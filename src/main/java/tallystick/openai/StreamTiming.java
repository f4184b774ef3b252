package tallystick.openai;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.MediaType;
import okhttp3.Response;
import tallystick.openai.CompletionResult.Moments;
import tallystick.openai.CountingSockets.CountingSocket;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Chunks;
import tallystick.runrecord.RequestRow.Ending;
import tallystick.runrecord.RequestRow.Oddity;

/**
 * One stream as it happens: every event is stamped first and read second. Written by the call's own
 * thread, except {@link #leave}, which any thread may call.
 */
final class StreamTiming implements EventReader.Sink {
  private static final int EXCERPT_CHARS = 500;
  private static final byte[] DONE = "[DONE]".getBytes(StandardCharsets.US_ASCII);
  private static final String MESSAGE_TYPE = "message";
  private static final String PLAIN = "identity";
  private static final String ERROR_TYPE = "error";

  /** A stream of more chunks has no end; {@code 2^22} of them are an hour at 1,000 tokens/s. */
  private static final int MOST_CHUNKS = 1 << 22;

  /** Why the client left, if it did. */
  private enum Leaving {
    NO,
    PLANNED,
    TIMED_OUT,
    OVERFLOWED
  }

  private final ChunkParser parser;
  private final CompletionCall completion;
  private final Consumer<CompletionResult> sink;
  private final AtomicBoolean ended = new AtomicBoolean();

  private final StartGate gate;
  private volatile long started;
  private volatile boolean isStarted;
  volatile long connectStarted;
  volatile long tlsStarted;
  volatile long connected;
  volatile long written;
  volatile long headers;
  volatile long firstByte;
  private volatile CountingSocket socket;
  private volatile boolean readsAreTheStreams;
  private volatile Call call;
  private volatile Runnable onEnd = () -> {};
  private volatile Leaving leaving = Leaving.NO;

  private long[] arrivals = new long[64];
  private int[] tokens = new int[64];
  private int chunkCount;
  private int tokenCount;
  private int coalesced;
  private long readsAtLastEvent = -1;
  private long longestReadLag = RequestRow.NEVER;
  private EventReader reader = EventReader.NONE;
  private boolean done;
  private boolean eventsAfterDone;
  private String malformed = "";
  private String errorEvent = "";
  private int status;

  StreamTiming(
      CompletionCall completion,
      boolean keepText,
      StartGate gate,
      Consumer<CompletionResult> sink) {
    this.completion = completion;
    this.parser = new ChunkParser(keepText);
    this.gate = gate;
    this.sink = sink;
  }

  /** Sets what is done once, before the result is handed over. */
  void onEnd(Runnable action) {
    onEnd = action;
  }

  void begin(Call newCall) {
    call = newCall;
  }

  /** Lets the request go on when its time has come; what went before is no latency. */
  void awaitStart() {
    if (!isStarted) {
      started = gate.await(completion.startNanoTime());
      isStarted = true;
    }
  }

  /** Time left until so long after the start. */
  long nanosUntil(long afterStartNanos) {
    return isStarted ? started + afterStartNanos - System.nanoTime() : afterStartNanos;
  }

  /**
   * Names the socket whose reads bring this stream.
   *
   * @param isPlain whether its reads are those of the stream; one read of TLS is a record's or less
   */
  void readFrom(CountingSocket counting, boolean isPlain) {
    socket = counting;
    readsAreTheStreams = isPlain;
  }

  /** Ends the stream from outside because its time is over. */
  void timeOut() {
    leave(Leaving.TIMED_OUT);
  }

  /** Ends the stream from outside because the client leaves. */
  void cancel() {
    leave(Leaving.PLANNED);
  }

  private void leave(Leaving why) {
    Call running = call;
    if (running != null && !ended.get()) {
      leaving = why;
      running.cancel();
    }
  }

  /** Reads the answer to its end. */
  void read(Response response) {
    status = response.code();
    try (response) {
      if (leaving != Leaving.NO) {
        endLeft();
      } else if (response.isRedirect()) {
        end(Outcome.REDIRECTED, "to " + response.header("Location", "nowhere"));
      } else if (!response.isSuccessful()) {
        String wait = response.header("Retry-After");
        end(Outcome.HTTP_ERROR,
            (wait == null ? "" : "retry-after " + wait + "; ") + body(response));
      } else if (!PLAIN.equalsIgnoreCase(response.header("Content-Encoding", PLAIN))) {
        end(Outcome.COMPRESSED, "content-encoding " + response.header("Content-Encoding"));
      } else if (!isEventStream(response.body().contentType())) {
        end(Outcome.NOT_A_STREAM, body(response));
      } else {
        reader = new EventReader(response.body().source(), this);
        reader.readAll();
        close();
      }
    } catch (IOException e) {
      fail(e);
    } catch (RuntimeException e) {
      // Whatever an answer brings about here, its request must have an end in the record.
      end(Outcome.CUT_MID_STREAM, excerpt(e.toString()));
    }
  }

  private static boolean isEventStream(MediaType type) {
    return type != null && type.type().equals("text") && type.subtype().equals("event-stream");
  }

  @Override
  public void event(long readNanoTime, byte[] bytes, int from, int to, String type) {
    boolean together = isSameRead(readNanoTime);
    eventsAfterDone |= done;
    if (isDone(bytes, from, to)) {
      reader.markEnd();
      done = true;
    } else if (from < to) {
      read(readNanoTime, bytes, from, to, type, together);
    }
  }

  private static boolean isDone(byte[] bytes, int from, int to) {
    int after = from + DONE.length;
    return after <= to && Arrays.equals(bytes, from, after, DONE, 0, DONE.length);
  }

  private void read(
      long readNanoTime, byte[] bytes, int from, int to, String type, boolean together) {
    try {
      if (parser.parse(bytes, from, to) == ChunkParser.Kind.CONTENT) {
        add(readNanoTime, parser.tokens(), together);
        parser.commit();
        leaveIfPlanned();
      }
    } catch (IOException e) {
      // Events of another type are no chunks; what is in them is not the protocol's to promise.
      boolean isChunk = type.isEmpty() || type.equals(MESSAGE_TYPE);
      malformed = malformed.isEmpty() && isChunk ? excerpt(utf8(bytes, from, to)) : malformed;
    }
    if (ERROR_TYPE.equals(type) && errorEvent.isEmpty()) {
      errorEvent = excerpt(utf8(bytes, from, to));
    }
  }

  private String error() {
    return parser.error().isEmpty() ? errorEvent : parser.error();
  }

  private boolean isSameRead(long now) {
    CountingSocket counting = socket;
    if (counting == null) {
      return false;
    }
    boolean together = counting.reads() == readsAtLastEvent;
    readsAtLastEvent = counting.reads();
    longestReadLag = Math.max(longestReadLag, now - counting.lastReadNanoTime());
    return together;
  }

  private void add(long now, int tokensInChunk, boolean together) {
    if (chunkCount == MOST_CHUNKS) {
      leave(Leaving.OVERFLOWED);
      return;
    }
    if (chunkCount == arrivals.length) {
      arrivals = Arrays.copyOf(arrivals, chunkCount * 2);
      tokens = Arrays.copyOf(tokens, chunkCount * 2);
    }
    arrivals[chunkCount] = now;
    tokens[chunkCount] = tokensInChunk;
    chunkCount++;
    tokenCount += Math.max(1, tokensInChunk);
    coalesced += together ? 1 : 0;
  }

  private void leaveIfPlanned() {
    int limit = completion.cancelAfterTokens();
    if (limit > 0 && tokenCount >= limit) {
      leave(Leaving.PLANNED);
    }
  }

  private void close() {
    if (leaving != Leaving.NO) {
      endLeft();
    } else if (!error().isEmpty()) {
      end(Outcome.ERROR_EVENT, error());
    } else if (!malformed.isEmpty()) {
      end(Outcome.MALFORMED_CHUNK, malformed);
    } else if (chunkCount == 0) {
      end(Outcome.EMPTY_STREAM, "");
    } else {
      end(done ? Outcome.OK : Outcome.DONE_MISSING, "");
    }
  }

  /** Ends the request because of a failure before there was a response, or inside one. */
  void fail(IOException failure) {
    if (leaving != Leaving.NO) {
      endLeft();
    } else if (failure instanceof EventReader.EndlessEventException) {
      end(Outcome.MALFORMED_CHUNK, String.valueOf(failure.getMessage()));
    } else if (failure instanceof UnknownHostException || connectStarted > 0 && connected == 0) {
      end(Outcome.REFUSED, String.valueOf(failure.getMessage()));
    } else if (failure instanceof SocketTimeoutException) {
      end(Outcome.TIMED_OUT, String.valueOf(failure.getMessage()));
    } else if (!error().isEmpty()) {
      end(Outcome.ERROR_EVENT, error());
    } else {
      end(Outcome.CUT_MID_STREAM, excerpt(failure.toString()));
    }
  }

  private void endLeft() {
    switch (leaving) {
      case TIMED_OUT -> end(Outcome.TIMED_OUT, "");
      case OVERFLOWED -> end(Outcome.TIMED_OUT, "given up after " + MOST_CHUNKS + " chunks");
      case PLANNED, NO -> end(Outcome.CLIENT_CANCELLED, "");
    }
  }

  private void end(Outcome outcome, String detail) {
    awaitStart();
    long now = System.nanoTime();
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    onEnd.run();
    Chunks chunks =
        new Chunks(
            Arrays.copyOf(arrivals, chunkCount),
            Arrays.copyOf(tokens, chunkCount),
            readsAreTheStreams ? coalesced : RequestRow.UNKNOWN,
            longestReadLag);
    Moments moments =
        new Moments(
            started, connectStarted, tlsStarted, connected, written, headers, firstByte, now);
    Ending ending =
        new Ending(outcome, status, parser.finishReason(), excerpt(detail), oddities(outcome));
    sink.accept(
        new CompletionResult(
            moments, chunks, parser.usage(), ending, parser.engine(), parser.text()));
  }

  private List<Oddity> oddities(Outcome outcome) {
    List<Oddity> found = new ArrayList<>();
    if (eventsAfterDone) {
      found.add(Oddity.EVENTS_AFTER_DONE);
    } else if (reader.hasTextAfterEnd()) {
      found.add(Oddity.BYTES_AFTER_DONE);
    }
    if (parser.isIdChanging()) {
      found.add(Oddity.CHANGING_ID);
    }
    if (outcome == Outcome.OK && !parser.usage().isKnown()) {
      found.add(Oddity.USAGE_MISSING);
    }
    if (outcome == Outcome.OK && parser.usage().isKnown()) {
      int told = parser.usage().completionTokens();
      long sum = Arrays.stream(tokens, 0, chunkCount).asLongStream().sum();
      boolean isTold = Arrays.stream(tokens, 0, chunkCount).allMatch(count -> count >= 0);
      if (isTold && sum != told) {
        found.add(Oddity.USAGE_CONTRADICTS_CHUNKS);
      } else if (chunkCount > told) {
        found.add(Oddity.MORE_CHUNKS_THAN_TOKENS);
      }
    }
    return found;
  }

  private static String body(Response response) {
    try {
      return response == null
          ? ""
          : excerpt(response.peekBody(EXCERPT_CHARS * 4L).string().strip());
    } catch (IOException | IllegalStateException e) {
      return "the body could not be read: " + e.getMessage();
    }
  }

  private static String utf8(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static String excerpt(String text) {
    return text.length() <= EXCERPT_CHARS ? text : text.substring(0, EXCERPT_CHARS) + "…";
  }
}
