package tallystick.openai;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
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
import tallystick.runrecord.RequestRow.Chunks;
import tallystick.runrecord.RequestRow.Ending;
import tallystick.runrecord.RequestRow.Oddity;
import tallystick.runrecord.RequestRow.Usage;

/**
 * One request as it happens, from its start to its end. Written by the call's own thread, except
 * {@link #leave}, which any thread may call.
 */
final class StreamTiming implements StreamEvents.Watcher {
  private static final int EXCERPT_CHARS = 500;
  private static final String PLAIN = "identity";

  /**
   * TLS says good-bye in one or two records, 24 to 85 bytes in all. What is no whole head of an
   * answer and no longer is taken for that: a server writes a head in one piece.
   */
  private static final long MOST_FAREWELL_BYTES = 96;

  /** Why the client left, if it did. */
  private enum Leaving {
    NO,
    PLANNED,
    TIMED_OUT,
    OVERFLOWED
  }

  private final StreamEvents events;
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
  private volatile boolean isPlain;
  private volatile Call call;
  private volatile Runnable onEnd = () -> {};
  private volatile Leaving leaving = Leaving.NO;

  private long idleNanos = CountingSocket.NOT_IDLE;
  private long readsWhenTaken;
  private long bytesWhenTaken;
  private boolean isResent;
  private Response answer;
  private int status;

  StreamTiming(
      CompletionCall completion,
      boolean keepText,
      StartGate gate,
      Consumer<CompletionResult> sink) {
    this.completion = completion;
    this.events = new StreamEvents(keepText, this);
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
   * Takes the connection whose socket brings the answer.
   *
   * @param plain whether its reads are those of the stream; one read of TLS is a record's or less
   */
  void take(CountingSocket counting, boolean plain) {
    socket = counting;
    isPlain = plain;
    idleNanos = counting.take();
    readsWhenTaken = counting.reads();
    bytesWhenTaken = counting.readBytes();
  }

  /** The answer is over, and the connection may be used by others. */
  void rest() {
    if (socket != null) {
      socket.rest();
    }
  }

  /** When the latest read from the socket came back. */
  long lastReadNanoTime() {
    return socket == null ? System.nanoTime() : socket.lastReadNanoTime();
  }

  /**
   * Takes an answer, whose body is still to be read.
   *
   * @throws IOException if it lay there before the request: it answers another one
   */
  void takeHead(Response head) throws IOException {
    if (socket.reads() == readsWhenTaken) {
      throw new IOException("the connection held an answer from before the request");
    }
    String kept = head.header("Keep-Alive");
    if (kept != null) {
      socket.keptFor(kept);
    }
    answer = head;
    status = head.code();
  }

  /**
   * Whether the request may go out once more: a connection that was used before has died, and no
   * byte of an answer came. The moments of the attempt that failed are forgotten then, but not the
   * start.
   */
  boolean resends(IOException failure) {
    boolean isDead =
        idleNanos != CountingSocket.NOT_IDLE
            && isUnanswered()
            && !(failure instanceof SocketTimeoutException)
            && leaving == Leaving.NO;
    if (!isDead || isResent) {
      return false;
    }
    socket.diedAfter(idleNanos);
    isResent = true;
    connectStarted = 0;
    tlsStarted = 0;
    connected = 0;
    written = 0;
    headers = 0;
    socket = null;
    return true;
  }

  private boolean isUnanswered() {
    return socket != null
        && (socket.reads() == readsWhenTaken
            || headers == 0
                && socket.readBytes() - bytesWhenTaken <= (isPlain ? 0 : MOST_FAREWELL_BYTES));
  }

  /** Ends the stream from outside because its time is over. */
  void timeOut() {
    leave(Leaving.TIMED_OUT);
  }

  /** Ends the stream from outside because the client leaves. */
  void cancel() {
    leave(Leaving.PLANNED);
  }

  @Override
  public void hasTokens(int count) {
    int limit = completion.cancelAfterTokens();
    if (limit > 0 && count >= limit) {
      leave(Leaving.PLANNED);
    }
  }

  @Override
  public void hasTooManyChunks() {
    leave(Leaving.OVERFLOWED);
  }

  private void leave(Leaving why) {
    Call running = call;
    if (running != null && !ended.get()) {
      leaving = why;
      running.cancel();
    }
  }

  /** Whether somebody has ended the stream from outside. */
  boolean isLeft() {
    return leaving != Leaving.NO;
  }

  /** Reads the answer to its end. */
  void read() {
    try (Response response = answer) {
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
        events.read(response, socket);
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

  private void close() {
    if (leaving != Leaving.NO) {
      endLeft();
    } else if (!events.error().isEmpty()) {
      end(Outcome.ERROR_EVENT, events.error());
    } else if (!events.malformed().isEmpty()) {
      end(Outcome.MALFORMED_CHUNK, events.malformed());
    } else if (events.isEmpty()) {
      end(Outcome.EMPTY_STREAM, events.insteadOfText());
    } else {
      end(events.isDone() ? Outcome.OK : Outcome.DONE_MISSING, "");
    }
  }

  /** Ends the request because of a failure before there was a response, or inside one. */
  void fail(IOException failure) {
    if (leaving != Leaving.NO) {
      endLeft();
    } else if (failure instanceof EventBody.EndlessEventException) {
      end(Outcome.MALFORMED_CHUNK, String.valueOf(failure.getMessage()));
    } else if (failure instanceof UnknownHostException || connectStarted > 0 && connected == 0) {
      end(Outcome.REFUSED, String.valueOf(failure.getMessage()));
    } else if (failure instanceof SocketTimeoutException) {
      end(Outcome.TIMED_OUT, String.valueOf(failure.getMessage()));
    } else if (!events.error().isEmpty()) {
      end(Outcome.ERROR_EVENT, events.error());
    } else {
      Outcome outcome = isUnanswered() ? Outcome.NO_ANSWER : Outcome.CUT_MID_STREAM;
      end(outcome, excerpt(failure.toString()));
    }
  }

  private void endLeft() {
    switch (leaving) {
      case TIMED_OUT -> end(Outcome.TIMED_OUT, "");
      case OVERFLOWED ->
          end(Outcome.TIMED_OUT, "given up after " + StreamEvents.MOST_CHUNKS + " chunks");
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
    ChunkParser said = events.said();
    Chunks chunks = events.chunks(isPlain);
    Moments moments =
        new Moments(
            started, connectStarted, tlsStarted, connected, written, headers, firstByte, now);
    Ending ending =
        new Ending(
            outcome, status, said.finishReason(), excerpt(detail), oddities(outcome, chunks));
    sink.accept(
        new CompletionResult(moments, chunks, said.usage(), ending, said.engine(), said.text()));
  }

  private List<Oddity> oddities(Outcome outcome, Chunks chunks) {
    List<Oddity> found = new ArrayList<>(events.endOddities());
    if (isResent) {
      found.add(Oddity.RESENT);
    }
    if (events.said().isIdChanging()) {
      found.add(Oddity.CHANGING_ID);
    }
    Usage usage = events.said().usage();
    if (outcome == Outcome.OK && !usage.isKnown()) {
      found.add(Oddity.USAGE_MISSING);
    } else if (outcome == Outcome.OK) {
      long sum = Arrays.stream(chunks.tokens()).asLongStream().sum();
      boolean isTold = Arrays.stream(chunks.tokens()).allMatch(count -> count >= 0);
      if (isTold && sum != usage.completionTokens()) {
        found.add(Oddity.USAGE_CONTRADICTS_CHUNKS);
      } else if (chunks.size() > usage.completionTokens()) {
        found.add(Oddity.MORE_CHUNKS_THAN_TOKENS);
      }
    }
    return found;
  }

  private static String body(Response response) {
    try {
      return excerpt(response.peekBody(EXCERPT_CHARS * 4L).string().strip());
    } catch (IOException | IllegalStateException e) {
      return "the body could not be read: " + e.getMessage();
    }
  }

  static String excerpt(String text) {
    return text.length() <= EXCERPT_CHARS ? text : text.substring(0, EXCERPT_CHARS) + "…";
  }
}
