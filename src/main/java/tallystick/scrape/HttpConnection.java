package tallystick.scrape;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One HTTP/1.1 connection that carries one GET after another.
 *
 * <p>Threads: one exchange at a time; {@link #close} may be called from any thread and breaks an
 * exchange off.
 */
final class HttpConnection implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 14;
  private static final int HEAD_BYTES = 1 << 16;
  private static final int UNANNOUNCED_BYTES = 1 << 16;

  private final Socket plain = new Socket();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final int sizeLimit;
  private Socket socket = plain;
  private int at;
  private int end;
  private long deadline;
  private boolean isReusable;
  private boolean isAnswered;
  private long usedNanos;

  /** A connection not yet opened that refuses bodies of more than {@code sizeLimit} bytes. */
  HttpConnection(int sizeLimit) {
    this.sizeLimit = sizeLimit;
  }

  /**
   * Connects.
   *
   * @param tls makes it a TLS connection; null inside this room means a plain one
   * @throws UnknownHostException if the name is not known
   */
  void open(HttpPlace place, SSLSocketFactory tls, long deadlineNanos) throws IOException {
    deadline = deadlineNanos;
    String host = place.bareHost();
    InetSocketAddress address = new InetSocketAddress(host, place.port());
    if (address.isUnresolved()) {
      throw new UnknownHostException(host);
    }
    plain.setTcpNoDelay(true);
    plain.connect(address, millisLeft());
    if (tls == null) {
      return;
    }
    plain.setSoTimeout(millisLeft());
    SSLSocket secured = (SSLSocket) tls.createSocket(plain, host, place.port(), true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    socket = secured;
  }

  /** Sends a request and reads the whole answer, its body as it was sent. */
  HttpAnswer exchange(byte[] request, long deadlineNanos) throws IOException {
    deadline = deadlineNanos;
    isAnswered = false;
    isReusable = false;
    socket.getOutputStream().write(request);
    HttpAnswer.Head head = head();
    while (head.isInterim()) {
      head = head();
    }
    byte[] body = body(head);
    // What comes unasked behind an answer would be taken for the next one's head.
    isReusable = head.keepsConnection() && at == end;
    usedNanos = System.nanoTime();
    return new HttpAnswer(head, body);
  }

  /** Whether the last exchange left the connection fit for another one. */
  boolean isReusable() {
    return isReusable;
  }

  /** Whether any byte came back in the last exchange. */
  boolean isAnswered() {
    return isAnswered;
  }

  /** When the last exchange ended, by {@code System.nanoTime()}. */
  long usedNanos() {
    return usedNanos;
  }

  private HttpAnswer.Head head() throws IOException {
    HttpAnswer.Head head = HttpAnswer.Head.ofStatusLine(line());
    for (String header : headers()) {
      head.add(header);
    }
    return head;
  }

  /** Lines up to an empty one: the headers of an answer, or what trails its chunks. */
  private List<String> headers() throws IOException {
    List<String> headers = new ArrayList<>();
    int size = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      size += line.length();
      if (size > HEAD_BYTES) {
        throw new IOException("the answer's head is longer than " + HEAD_BYTES + " bytes");
      }
      headers.add(line);
    }
    return headers;
  }

  private byte[] body(HttpAnswer.Head head) throws IOException {
    if (head.isWithoutBody()) {
      return new byte[0];
    }
    if (head.isChunked()) {
      return chunks();
    }
    long length = head.length();
    if (length < 0) {
      return untilTheEnd();
    }
    byte[] body = new byte[within(length)];
    readFully(body, 0, body.length);
    return body;
  }

  private byte[] chunks() throws IOException {
    byte[] body = new byte[UNANNOUNCED_BYTES];
    int size = 0;
    while (true) {
      int length = chunkLength();
      if (length == 0) {
        break;
      }
      within(size + (long) length);
      body = withRoom(body, size, length);
      readFully(body, size, length);
      size += length;
      if (!line().isEmpty()) {
        throw new IOException("a chunk of the answer is longer than it says");
      }
    }
    headers();
    return Arrays.copyOf(body, size);
  }

  private int chunkLength() throws IOException {
    String line = line();
    int end = line.indexOf(';') < 0 ? line.length() : line.indexOf(';');
    return within(HttpAnswer.length(line.substring(0, end).strip(), 16));
  }

  private byte[] untilTheEnd() throws IOException {
    byte[] body = new byte[UNANNOUNCED_BYTES];
    int size = 0;
    while (true) {
      body = withRoom(body, size, 1);
      int read = read(body, size, body.length - size);
      if (read < 0) {
        return Arrays.copyOf(body, size);
      }
      size += read;
      within(size);
    }
  }

  private int within(long bytes) throws IOException {
    if (bytes > sizeLimit) {
      throw new IOException("the answer is larger than " + sizeLimit + " bytes");
    }
    return (int) bytes;
  }

  private byte[] withRoom(byte[] body, int size, int more) {
    if (size + more <= body.length) {
      return body;
    }
    return Arrays.copyOf(body, Math.max(size + more, (int) Math.min(sizeLimit + 1L, size * 2L)));
  }

  private void readFully(byte[] into, int from, int length) throws IOException {
    int have = 0;
    while (have < length) {
      int read = read(into, from + have, length - have);
      if (read < 0) {
        throw new IOException("the answer was cut: " + have + " of " + length + " bytes came");
      }
      have += read;
    }
  }

  /** The next line of a head without its end; {@code \n} alone ends one too. */
  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      if (at == end) {
        at = 0;
        end = Math.max(0, receive(buffer, 0, buffer.length));
        if (end == 0) {
          throw new IOException("the server closed the connection without a whole answer");
        }
      }
      int next = buffer[at++];
      if (next == '\n') {
        int length = line.length();
        line.setLength(length > 0 && line.charAt(length - 1) == '\r' ? length - 1 : length);
        return line.toString();
      }
      if (line.length() == BUFFER_BYTES) {
        throw new IOException("a line of the answer's head is longer than " + BUFFER_BYTES);
      }
      line.append((char) (next & 0xff));
    }
  }

  /** What the head's buffer has left comes first, then the socket's own bytes. */
  private int read(byte[] into, int from, int length) throws IOException {
    if (at == end) {
      return receive(into, from, length);
    }
    int take = Math.min(length, end - at);
    System.arraycopy(buffer, at, into, from, take);
    at += take;
    return take;
  }

  private int receive(byte[] into, int from, int length) throws IOException {
    socket.setSoTimeout(millisLeft());
    InputStream stream = socket.getInputStream();
    int read = stream.read(into, from, length);
    isAnswered |= read > 0;
    return read;
  }

  private int millisLeft() throws SocketTimeoutException {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new SocketTimeoutException();
    }
    return (int) (TimeUnit.NANOSECONDS.toMillis(left) + 1);
  }

  @Override
  public void close() {
    try {
      plain.close();
    } catch (IOException e) {
      // What is left of a connection nobody uses any more is of no consequence.
    }
  }
}
