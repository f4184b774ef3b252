package tallystick.openai;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okhttp3.sse.EventSource;
import okhttp3.sse.EventSourceListener;
import okhttp3.sse.EventSources;
import okio.Buffer;
import okio.BufferedSource;
import okio.Okio;
import okio.Timeout;
import tallystick.openai.CountingSockets.CountingSocket;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RequestRow.Chunks;
import tallystick.runrecord.RequestRow.Oddity;

/**
 * The events of one answer, as OkHttp's reader finds them. Each is stamped with the moment at which
 * the socket's read that completed it came back: nothing is read ahead, so that is the latest read.
 * One stream, one thread.
 */
final class StreamEvents extends EventSourceListener {
  private static final String DONE = "[DONE]";
  private static final String MESSAGE_TYPE = "message";
  private static final String ERROR_TYPE = "error";
  private static final int MOST_TOLD_CHARS = 4096;
  private static final int READ_BYTES = 8192;

  /** An end may come so long after an error. */
  private static final long ERROR_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A stream of more chunks has no end; {@code 2^22} of them are an hour at 1,000 tokens/s. */
  static final int MOST_CHUNKS = 1 << 22;

  /** Told while the stream is read. */
  interface Watcher {
    /** So many tokens have arrived. */
    void hasTokens(int count);

    /** There are more chunks than {@link #MOST_CHUNKS}. */
    void hasTooManyChunks();
  }

  private final ChunkParser parser;
  private final Watcher watcher;
  private CountingSocket socket;
  private BufferedSource buffered;
  private Timeout wait;
  private EventBody body;
  private Optional<Throwable> failure = Optional.empty();

  private long[] arrivals = new long[64];
  private int[] tokens = new int[64];
  private int chunkCount;

  /** Chunks before the first of the answer itself: of thinking, if there was any. */
  private int before;

  private boolean hasAnswered;
  private long wholeNanoTime;
  private int tokenCount;
  private int coalesced;
  private long eventCount;
  private long readsAtLastEvent = -1;
  private long longestReadLag = RequestRow.NEVER;
  private long handedAtDone = -1;
  private boolean eventsAfterDone;
  private boolean isResponse;
  private boolean isOver;
  private boolean isLeftOpen;
  private String malformed = "";
  private String errorEvent = "";

  StreamEvents(boolean keepText, Watcher watcher) {
    this.parser = new ChunkParser(keepText);
    this.watcher = watcher;
  }

  /**
   * Reads an answer to its end, or until it is over and its connection stays open.
   *
   * @param from the socket that brings it
   * @throws IOException if it ends before its end
   */
  void read(Response answer, CountingSocket from) throws IOException {
    socket = from;
    wait = answer.body().source().timeout();
    body = new EventBody(answer.body().source(), socket::hasBody);
    buffered = Okio.buffer(body);
    ResponseBody standard = ResponseBody.create(buffered, answer.body().contentType(), -1);
    try (parser) {
      EventSources.processResponse(answer.newBuilder().body(standard).build(), this);
    }
    isLeftOpen = failure.filter(this::isAfterTheEnd).isPresent();
    if (isDone() || parser.isFinished()) {
      socket.answerEnded(isLeftOpen);
    }
    if (failure.isPresent() && !isLeftOpen) {
      throw failure.get() instanceof IOException broken
          ? broken
          : new IOException(failure.get().toString(), failure.get());
    }
  }

  /**
   * Reads an answer that comes whole, as one JSON object. Its end is the read that brought its last
   * byte.
   *
   * @throws IOException if it ends before its end, or is too long
   */
  void readWhole(Response answer, CountingSocket from) throws IOException {
    BufferedSource source = answer.body().source();
    Buffer whole = new Buffer();
    try (parser) {
      while (source.read(whole, READ_BYTES) >= 0) {
        from.hasBody();
        wholeNanoTime = from.lastReadNanoTime();
        if (whole.size() > EventBody.MOST_EVENT_BYTES) {
          throw new EventBody.EndlessEventException();
        }
      }
      takeWhole(whole.readUtf8());
    }
  }

  private void takeWhole(String text) {
    try {
      parser.parse(text);
    } catch (IOException e) {
      malformed = begin(text);
    }
  }

  /** When the last byte of a whole answer came, {@code System.nanoTime()}; 0 of a stream. */
  long wholeNanoTime() {
    return wholeNanoTime;
  }

  @Override
  public void onEvent(EventSource source, String id, String type, String data) {
    long stamp = socket.lastReadNanoTime();
    longestReadLag = Math.max(longestReadLag, System.nanoTime() - stamp);
    boolean together = socket.reads() == readsAtLastEvent;
    readsAtLastEvent = socket.reads();
    eventCount++;
    // Some servers mark the end of a response as they do that of a completion.
    eventsAfterDone |= isDone() && !(isResponse && data.startsWith(DONE));
    if (data.startsWith(DONE)) {
      noteDone();
    } else if (!data.isEmpty()) {
      take(stamp, type == null ? "" : type, data, together);
    }
    if (!eventsAfterDone) {
      boundWait();
    }
  }

  /** An answer is over at its end mark; without one at its finish reason and usage. */
  private void boundWait() {
    if (isDone() || parser.isComplete()) {
      waitAtMost(socket.patienceNanos());
    } else if (parser.isFinished() && parser.usage().isKnown()) {
      waitAtMost(OpenEnds.USUAL_NANOS);
    } else if (!parser.error().isEmpty() || !errorEvent.isEmpty()) {
      waitAtMost(ERROR_NANOS);
    } else if (parser.isFinished()) {
      waitAtMost(socket.usagePatienceNanos());
    } else if (isOver) {
      isOver = false;
      wait.clearDeadline();
    }
  }

  private void waitAtMost(long nanos) {
    isOver = true;
    wait.deadline(nanos, TimeUnit.NANOSECONDS);
  }

  private boolean isAfterTheEnd(Throwable thrown) {
    return isOver && thrown instanceof InterruptedIOException;
  }

  @Override
  public void onFailure(EventSource source, Throwable thrown, Response response) {
    failure = Optional.of(thrown);
  }

  private void take(long stamp, String type, String data, boolean together) {
    try {
      if (parser.parse(data) == ChunkParser.Kind.CONTENT) {
        add(stamp, parser.tokens(), together);
        hasAnswered |= parser.contents().hasAnswer;
        before = hasAnswered ? before : chunkCount;
        parser.commit();
        watcher.hasTokens(tokenCount);
      }
      if (parser.contents().isResponseEnd) {
        isResponse = true;
        noteDone();
      }
    } catch (IOException e) {
      // Events of another type are no chunks; what is in them is not the protocol's to promise.
      boolean isChunk =
          type.isEmpty() || type.equals(MESSAGE_TYPE) || type.startsWith(ChunkJson.RESPONSE);
      malformed = malformed.isEmpty() && isChunk ? begin(data) : malformed;
    }
    if (ERROR_TYPE.equals(type) && errorEvent.isEmpty()) {
      errorEvent = begin(data);
    }
  }

  private void noteDone() {
    handedAtDone = body.handedBytes() - buffered.getBuffer().size();
  }

  /** An event may be long, and only its beginning is ever told. */
  private static String begin(String data) {
    return data.substring(0, Math.min(MOST_TOLD_CHARS, data.length()));
  }

  private void add(long stamp, int tokensInChunk, boolean together) {
    if (chunkCount == MOST_CHUNKS) {
      watcher.hasTooManyChunks();
      return;
    }
    if (chunkCount == arrivals.length) {
      arrivals = Arrays.copyOf(arrivals, chunkCount * 2);
      tokens = Arrays.copyOf(tokens, chunkCount * 2);
    }
    arrivals[chunkCount] = stamp;
    tokens[chunkCount] = tokensInChunk;
    chunkCount++;
    tokenCount += Math.max(1, tokensInChunk);
    coalesced += together ? 1 : 0;
  }

  /** What the stream has said. */
  ChunkParser said() {
    return parser;
  }

  /** What the server said was wrong; empty where it said nothing. */
  String error() {
    String told = parser.error().isEmpty() ? errorEvent : parser.error();
    return told.isEmpty() && body != null && !parser.isFinished()
        ? ServerWords.error(body.strayText())
        : told;
  }

  /** The first data that is no chunk; empty where all are. */
  String malformed() {
    return malformed;
  }

  boolean isDone() {
    return handedAtDone >= 0;
  }

  /** Whether every choice has its finish reason, and the usage is told. */
  boolean isWhole() {
    return parser.isFinished() && parser.usage().isKnown();
  }

  boolean isEmpty() {
    return chunkCount == 0;
  }

  /** What came instead of text; empty where nothing came. */
  String insteadOfText() {
    long bytes = body.arrivedBytes();
    if (eventCount == 0) {
      String words = begin(body.strayText().strip());
      return bytes == 0
          ? ""
          : bytes + " bytes arrived but no event" + (words.isEmpty() ? "" : ": " + words);
    }
    Set<String> fields = parser.contents().unreadFields();
    String unread = fields.isEmpty() ? "" : "; not read: " + String.join(", ", fields);
    return eventCount + " events arrived but no text" + unread;
  }

  /** What is odd about where the stream ended. */
  List<Oddity> endOddities() {
    List<Oddity> found = new ArrayList<>();
    if (eventsAfterDone) {
      found.add(Oddity.EVENTS_AFTER_DONE);
    } else if (isDone() && body.hasTextAfter(handedAtDone)) {
      found.add(Oddity.BYTES_AFTER_DONE);
    }
    if (isLeftOpen) {
      found.add(Oddity.LEFT_OPEN);
    }
    return found;
  }

  /**
   * The content chunks.
   *
   * @param isPlain whether the socket's reads are those of the stream: one of TLS is a record's
   */
  Chunks chunks(boolean isPlain) {
    return new Chunks(
        Arrays.copyOf(arrivals, chunkCount),
        Arrays.copyOf(tokens, chunkCount),
        isPlain ? coalesced : RequestRow.UNKNOWN,
        longestReadLag,
        parser.contents().hasThought ? before : 0);
  }
}
