package tallystick.openai;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import okio.Buffer;
import okio.BufferedSource;
import okio.ByteString;
import okio.Source;
import okio.Timeout;

/**
 * The body of an event stream on its way to OkHttp's reader. That one reads LF as the standard
 * says, but loses what ends in a lone CR, keeps a byte order mark and fails at a last line without
 * an end; so it gets every line end as LF, no mark, and a last line that ends. It also bounds an
 * event, which the reader does not. One stream, one thread. Source: WHATWG HTML, 9.2.5 and 9.2.6.
 */
final class EventBody implements Source {
  /** An event that did not end within {@value #MOST_EVENT_BYTES} bytes. */
  static final class EndlessEventException extends IOException {
    private static final long serialVersionUID = 1L;

    EndlessEventException() {
      super("an event of more than " + MOST_EVENT_BYTES + " bytes");
    }
  }

  private static final int READ_BYTES = 4096;
  static final int MOST_EVENT_BYTES = 16 << 20;
  private static final int MOST_STRAY_BYTES = 4096;
  private static final byte[][] FIELDS = {
    bytes("data"), bytes(":"), bytes("event"), bytes("id"), bytes("retry")
  };
  private static final ByteString MARK = ByteString.decodeHex("efbbbf");

  private final BufferedSource source;
  private final Runnable onRead;
  private final byte[] bytes = new byte[READ_BYTES];
  private boolean isBegun;
  private boolean returnEndedLine;
  private boolean isLineEmpty = true;
  private long arrivedBytes;
  private long handedBytes;
  private long textEnd;
  private long eventFrom;
  private int strayFrom = -1;
  private final Buffer stray = new Buffer();

  /**
   * The body that a source holds.
   *
   * @param onRead told of each read that brought something
   */
  EventBody(BufferedSource source, Runnable onRead) {
    this.source = source;
    this.onRead = onRead;
  }

  /** Bytes of the body that have arrived. */
  long arrivedBytes() {
    return arrivedBytes;
  }

  /** Bytes handed on so far. */
  long handedBytes() {
    return handedBytes;
  }

  /** Whether anything but line ends came behind so many handed bytes. */
  boolean hasTextAfter(long handed) {
    return textEnd > handed;
  }

  /**
   * The body from its first line on that is no field of an event, as far as it is kept: servers
   * write an error into a stream without the framing of one. Empty where all lines are fields.
   */
  String strayText() {
    return stray.snapshot().utf8();
  }

  @Override
  public long read(Buffer sink, long byteCount) throws IOException {
    skipMark();
    int kept = 0;
    while (kept == 0) {
      int size = source.read(bytes, 0, (int) Math.min(byteCount, bytes.length));
      if (size < 0) {
        return endLastLine(sink);
      }
      arrivedBytes += size;
      onRead.run();
      kept = keep(size);
    }
    sink.write(bytes, 0, kept);
    if (strayFrom >= 0) {
      keepStray(kept);
    }
    handedBytes += kept;
    return kept;
  }

  private void keepStray(int kept) {
    long room = MOST_STRAY_BYTES - stray.size();
    stray.write(bytes, strayFrom, (int) Math.min(room, kept - strayFrom));
    strayFrom = 0;
  }

  /** Whether a line may be a field, as far as it has come. */
  private boolean isField(int from, int end) {
    for (byte[] name : FIELDS) {
      int size = Math.min(name.length, end - from);
      if (Arrays.equals(bytes, from, from + size, name, 0, size)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void skipMark() throws IOException {
    if (!isBegun) {
      isBegun = true;
      // No event is as short as a mark, so none waits for this.
      if (source.request(MARK.size()) && source.rangeEquals(0, MARK)) {
        source.skip(MARK.size());
        arrivedBytes += MARK.size();
      }
    }
  }

  /** Puts LF for every line end among the bytes just read, and says how many bytes are left. */
  private int keep(int size) throws EndlessEventException {
    int to = 0;
    int from = returnEndedLine && bytes[0] == '\n' ? 1 : 0;
    returnEndedLine = false;
    while (from < size) {
      int end = endOfLine(from, size);
      if (end > from) {
        if (isLineEmpty && strayFrom < 0 && !isField(from, end)) {
          strayFrom = to;
        }
        if (to < from) {
          System.arraycopy(bytes, from, bytes, to, end - from);
        }
        to += end - from;
        isLineEmpty = false;
        textEnd = handedBytes + to;
      }
      if (end < size) {
        boolean isReturn = bytes[end] == '\r';
        returnEndedLine = isReturn && end + 1 == size;
        end += isReturn && end + 1 < size && bytes[end + 1] == '\n' ? 1 : 0;
        bytes[to++] = '\n';
        eventFrom = isLineEmpty ? handedBytes + to : eventFrom;
        isLineEmpty = true;
      }
      from = end + 1;
    }
    if (handedBytes + to - eventFrom > MOST_EVENT_BYTES) {
      throw new EndlessEventException();
    }
    return to;
  }

  /** Index of the first byte that ends a line; {@code to} if none does. */
  private int endOfLine(int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '\n' && bytes[at] != '\r') {
      at++;
    }
    return at;
  }

  /** What ends without an empty line is no event, so a line end does not make it one. */
  private long endLastLine(Buffer sink) {
    if (isLineEmpty) {
      return -1;
    }
    isLineEmpty = true;
    sink.writeByte('\n');
    handedBytes++;
    return 1;
  }

  @Override
  public Timeout timeout() {
    return source.timeout();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
