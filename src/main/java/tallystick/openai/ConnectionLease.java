package tallystick.openai;

import java.io.IOException;
import java.net.SocketTimeoutException;
import okhttp3.Response;
import tallystick.openai.CountingSockets.CountingSocket;

/**
 * The connection that carries one request, and what has come over it since the request took it.
 * Written by the call's own thread.
 */
final class ConnectionLease {
  /**
   * TLS says good-bye in one or two records, 24 to 85 bytes in all. What is no whole head of an
   * answer and no longer is taken for that: a server writes a head in one piece.
   */
  private static final long MOST_FAREWELL_BYTES = 96;

  private volatile CountingSocket socket;
  private volatile boolean isPlain;
  private long idleNanos = CountingSocket.NOT_IDLE;
  private long readsWhenTaken;
  private long bytesWhenTaken;

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

  CountingSocket socket() {
    return socket;
  }

  /** Whether the socket's reads are those of the stream. */
  boolean isPlain() {
    return isPlain;
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

  /** When the latest write to the socket began. */
  long lastWriteNanoTime() {
    return socket == null ? System.nanoTime() : socket.lastWriteNanoTime();
  }

  /**
   * Takes the head of an answer.
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
  }

  /** Whether a connection that was used before has died, and no byte of an answer came. */
  boolean hasDied(IOException failure, boolean hasHeaders) {
    return idleNanos != CountingSocket.NOT_IDLE
        && isUnanswered(hasHeaders)
        && !(failure instanceof SocketTimeoutException);
  }

  /** Lets go of a connection that has died. */
  void drop() {
    socket.diedAfter(idleNanos);
    socket = null;
  }

  /** Whether it took the request and no byte of an answer came. */
  boolean isUnanswered(boolean hasHeaders) {
    return socket != null
        && (socket.reads() == readsWhenTaken
            || !hasHeaders
                && socket.readBytes() - bytesWhenTaken <= (isPlain ? 0 : MOST_FAREWELL_BYTES));
  }
}
