package tallystick.openai;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import okhttp3.MediaType;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow.Chunks;
import tallystick.runrecord.RequestRow.Oddity;
import tallystick.runrecord.RequestRow.Usage;

/**
 * How a request ended, as its outcome and a word about it.
 *
 * @param detail for a reader, as the server or the library said it; may be empty
 */
record StreamEnding(Outcome outcome, String detail) {
  private static final String PLAIN = "identity";
  private static final long MOST_BODY_BYTES = 1 << 16;
  private static final long BODY_SECONDS = 2;

  /** Why the client left. */
  enum Leaving {
    PLANNED,
    TIMED_OUT,
    OVERFLOWED
  }

  /** The client has left. */
  static StreamEnding left(Leaving why) {
    return switch (why) {
      case PLANNED -> new StreamEnding(Outcome.CLIENT_CANCELLED, "");
      case TIMED_OUT -> new StreamEnding(Outcome.TIMED_OUT, "");
      case OVERFLOWED ->
          new StreamEnding(
              Outcome.TIMED_OUT, "given up after " + StreamEvents.MOST_CHUNKS + " chunks");
    };
  }

  /**
   * Of an answer that is not what was asked for; empty where it is to be read.
   *
   * @param isWhole whether it was asked for as a whole, and not as a stream of events
   */
  static Optional<StreamEnding> ofHead(Response answer, boolean isWhole) {
    if (answer.isRedirect()) {
      return ending(Outcome.REDIRECTED, "to " + answer.header("Location", "nowhere"));
    }
    if (!answer.isSuccessful()) {
      String wait = answer.header("Retry-After");
      String before = wait == null ? "" : "retry-after " + wait + "; ";
      return ending(Outcome.HTTP_ERROR, before + body(answer));
    }
    String encoding = answer.header("Content-Encoding", PLAIN);
    if (!PLAIN.equalsIgnoreCase(encoding)) {
      return ending(Outcome.COMPRESSED, "content-encoding " + encoding);
    }
    boolean isStream = isEventStream(answer.body().contentType());
    if (isWhole) {
      return isStream
          ? ending(Outcome.MALFORMED_CHUNK, "a stream came, and stream: false was asked for")
          : Optional.empty();
    }
    return isStream
        ? Optional.empty()
        : ending(Outcome.NOT_A_STREAM, contentType(answer) + ": " + body(answer));
  }

  private static Optional<StreamEnding> ending(Outcome outcome, String detail) {
    return Optional.of(new StreamEnding(outcome, detail));
  }

  private static boolean isEventStream(MediaType type) {
    return type != null && type.type().equals("text") && type.subtype().equals("event-stream");
  }

  private static String contentType(Response answer) {
    String type = answer.header("Content-Type", "");
    return type.isEmpty() ? "no content-type" : "content-type " + type;
  }

  /** In the server's words, as far as they come at once: a failure may stay open, too. */
  private static String body(Response answer) {
    BufferedSource source = answer.body().source();
    source.timeout().deadline(BODY_SECONDS, TimeUnit.SECONDS);
    String unread = "";
    try {
      source.request(MOST_BODY_BYTES);
    } catch (IOException | IllegalStateException e) {
      unread = "the body could not be read: " + e.getMessage();
    }
    Buffer read = source.getBuffer();
    return read.exhausted()
        ? unread
        : ServerWords.of(read.snapshot((int) Math.min(read.size(), MOST_BODY_BYTES)).utf8());
  }

  /**
   * Of an answer that was read to its end.
   *
   * @param isWhole whether it came whole, and not as a stream of events
   */
  static StreamEnding ofEnd(StreamEvents events, boolean isWhole) {
    if (!events.error().isEmpty()) {
      return new StreamEnding(Outcome.ERROR_EVENT, events.error());
    }
    if (!events.malformed().isEmpty()) {
      return new StreamEnding(Outcome.MALFORMED_CHUNK, events.malformed());
    }
    if (isWhole) {
      return events.said().hasWhole()
          ? new StreamEnding(Outcome.OK, "")
          : new StreamEnding(Outcome.EMPTY_STREAM, "the answer has neither text nor tokens");
    }
    if (events.isEmpty()) {
      return new StreamEnding(Outcome.EMPTY_STREAM, events.insteadOfText());
    }
    if (events.isDone() || events.isWhole()) {
      return new StreamEnding(Outcome.OK, "");
    }
    return events.said().contents().finishReason.isEmpty()
        ? new StreamEnding(Outcome.CUT_MID_STREAM, "the stream ended before its finish reason")
        : new StreamEnding(Outcome.DONE_MISSING, "");
  }

  /** Of a failure before there was an answer, or inside one. */
  static StreamEnding ofFailure(
      IOException failure, RequestTimings phases, ConnectionLease carrier, StreamEvents events) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof EventBody.EndlessEventException) {
      return new StreamEnding(Outcome.MALFORMED_CHUNK, message);
    }
    if (failure instanceof UnknownHostException) {
      return new StreamEnding(Outcome.REFUSED, "the host name is not known: " + message);
    }
    if (phases.isConnecting()) {
      return new StreamEnding(Outcome.REFUSED, message);
    }
    if (failure instanceof SocketTimeoutException) {
      return new StreamEnding(Outcome.TIMED_OUT, message);
    }
    if (!events.error().isEmpty()) {
      return new StreamEnding(Outcome.ERROR_EVENT, events.error());
    }
    boolean isUnanswered = carrier.isUnanswered(phases.hasHeaders());
    return isUnanswered
        ? new StreamEnding(Outcome.NO_ANSWER, words(failure, "before an answer"))
        : new StreamEnding(Outcome.CUT_MID_STREAM, words(failure, "inside the answer"));
  }

  /** Libraries say the end of a connection in several ways, one of them no word at all. */
  private static String words(IOException failure, String where) {
    String message = failure.getMessage();
    boolean isPlainEnd =
        message == null
            || failure instanceof EOFException
            || message.startsWith("unexpected end of stream");
    return isPlainEnd ? "the connection ended " + where : message;
  }

  /** What is odd about an answer that ended so. */
  List<Oddity> oddities(StreamEvents events, Chunks chunks, boolean isResent) {
    List<Oddity> found = new ArrayList<>(events.endOddities());
    if (isResent) {
      found.add(Oddity.RESENT);
    }
    if (events.said().contents().idChanging) {
      found.add(Oddity.CHANGING_ID);
    }
    if (outcome == Outcome.OK) {
      if (!events.isDone() && !events.isEmpty()) {
        found.add(Oddity.DONE_MISSING);
      }
      oddUsage(events.said().usage(), chunks).ifPresent(found::add);
    }
    return found;
  }

  private static Optional<Oddity> oddUsage(Usage usage, Chunks chunks) {
    if (!usage.isKnown()) {
      return Optional.of(Oddity.USAGE_MISSING);
    }
    long sum = Arrays.stream(chunks.tokens()).asLongStream().sum();
    if (chunks.size() == 0) {
      return Optional.empty();
    }
    boolean isTold = Arrays.stream(chunks.tokens()).allMatch(count -> count >= 0);
    if (isTold && sum != usage.completionTokens()) {
      return Optional.of(Oddity.USAGE_CONTRADICTS_CHUNKS);
    }
    return chunks.size() > usage.completionTokens()
        ? Optional.of(Oddity.MORE_CHUNKS_THAN_TOKENS)
        : Optional.empty();
  }
}
