package tallystick.openai;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import okio.BufferedSource;

/**
 * Reads an event stream as its standard says and hands over each event's data as bytes, uncopied
 * where it is one line. Lines end in LF, CR or CRLF; one leading byte order mark is dropped;
 * comments, ids and retry times say nothing here. One stream, one thread. Source: WHATWG HTML,
 * 9.2.5 and 9.2.6.
 */
final class EventReader {
  /** Takes events in the order of the stream. */
  interface Sink {
    /**
     * One event.
     *
     * @param readNanoTime right after the read that completed it came back
     * @param bytes holds the data only until this returns
     * @param from index of the first byte of data
     * @param to index after its last
     * @param type empty for the usual one
     */
    void event(long readNanoTime, byte[] bytes, int from, int to, String type);
  }

  /** An event that did not end within {@value #MOST_EVENT_BYTES} bytes. */
  static final class EndlessEventException extends IOException {
    private static final long serialVersionUID = 1L;

    EndlessEventException() {
      super("an event of more than " + MOST_EVENT_BYTES + " bytes");
    }
  }

  /** The reader of a stream without a byte. */
  static final EventReader NONE =
      new EventReader(new okio.Buffer(), (now, bytes, from, to, type) -> {});

  private static final int FIRST_BYTES = 4096;
  private static final int MOST_EVENT_BYTES = 16 << 20;
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final byte[] DATA = {'d', 'a', 't', 'a'};
  private static final byte[] TYPE = {'e', 'v', 'e', 'n', 't'};

  private final BufferedSource source;
  private final Sink sink;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int lineFrom;
  private int filled;
  private boolean begun;
  private boolean returnEndedLine;

  private int dataLines;
  private int dataFrom;
  private int dataTo;
  private final ByteArrayOutputStream joined = new ByteArrayOutputStream(0);
  private String type = "";

  private boolean endMarked;
  private boolean textAfterEnd;

  EventReader(BufferedSource source, Sink sink) {
    this.source = source;
    this.sink = sink;
  }

  /**
   * Reads to the end of the body. What does not end in an empty line is no event.
   *
   * @throws EndlessEventException if an event is too long to be kept
   */
  void readAll() throws IOException {
    while (true) {
      makeRoom();
      int before = filled;
      int size = source.read(bytes, before, bytes.length - before);
      if (size < 0) {
        return;
      }
      long now = System.nanoTime();
      filled += size;
      skipMark();
      skipRestOfLineEnd();
      // What lay there before holds no line end: it has been looked through.
      takeLines(Math.max(before, lineFrom), now);
    }
  }

  /** Notes that nothing is expected after the event just handed over. */
  void markEnd() {
    endMarked = true;
  }

  /** Whether anything but line ends followed the marked end. */
  boolean hasTextAfterEnd() {
    return textAfterEnd || endMarked && lineFrom < filled;
  }

  /** Makes room behind what is still needed. */
  private void makeRoom() throws EndlessEventException {
    int needed = dataLines == 1 ? dataFrom : lineFrom;
    if (needed == filled || filled == bytes.length && needed > 0) {
      System.arraycopy(bytes, needed, bytes, 0, filled - needed);
      filled -= needed;
      lineFrom -= needed;
      dataFrom -= needed;
      dataTo -= needed;
    } else if (filled == bytes.length) {
      if (filled >= MOST_EVENT_BYTES) {
        throw new EndlessEventException();
      }
      bytes = Arrays.copyOf(bytes, filled * 2);
    }
  }

  private void skipMark() {
    if (!begun) {
      int known = Math.min(MARK.length, filled);
      boolean isMark = Arrays.equals(bytes, 0, known, MARK, 0, known);
      begun = !isMark || known == MARK.length;
      lineFrom = isMark && begun ? known : 0;
    }
  }

  /** A CRLF may be cut in two; its line ended at the CR. */
  private void skipRestOfLineEnd() {
    if (returnEndedLine) {
      returnEndedLine = false;
      lineFrom += bytes[lineFrom] == '\n' ? 1 : 0;
    }
  }

  private void takeLines(int from, long now) throws EndlessEventException {
    for (int lineTo = endOfLine(bytes, from, filled);
        lineTo < filled;
        lineTo = endOfLine(bytes, lineFrom, filled)) {
      int next = lineTo + 1;
      if (bytes[lineTo] == '\r') {
        returnEndedLine = next == filled;
        next += next < filled && bytes[next] == '\n' ? 1 : 0;
      }
      takeLine(lineFrom, lineTo, now);
      lineFrom = next;
    }
  }

  /** Index of the first byte that ends a line; {@code to} if none does. */
  private static int endOfLine(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] != '\n' && bytes[at] != '\r') {
      at++;
    }
    return at;
  }

  private void takeLine(int from, int to, long now) throws EndlessEventException {
    if (from == to) {
      endEvent(now);
      return;
    }
    textAfterEnd |= endMarked;
    if (isField(DATA, from, to)) {
      addData(valueFrom(from + DATA.length, to), to);
    } else if (isField(TYPE, from, to)) {
      int value = valueFrom(from + TYPE.length, to);
      type = new String(bytes, value, to - value, StandardCharsets.UTF_8);
    }
  }

  private boolean isField(byte[] name, int from, int to) {
    int after = from + name.length;
    return after <= to
        && (after == to || bytes[after] == ':')
        && Arrays.equals(bytes, from, after, name, 0, name.length);
  }

  private int valueFrom(int colon, int to) {
    int value = Math.min(colon + 1, to);
    return value < to && bytes[value] == ' ' ? value + 1 : value;
  }

  private void addData(int from, int to) throws EndlessEventException {
    dataLines++;
    if (dataLines == 1) {
      dataFrom = from;
      dataTo = to;
      return;
    }
    if (dataLines == 2) {
      joined.reset();
      joined.write(bytes, dataFrom, dataTo - dataFrom);
    }
    if (joined.size() + to - from >= MOST_EVENT_BYTES) {
      throw new EndlessEventException();
    }
    joined.write('\n');
    joined.write(bytes, from, to - from);
  }

  private void endEvent(long now) {
    int lines = dataLines;
    String ofType = type;
    dataLines = 0;
    type = "";
    if (lines == 1) {
      sink.event(now, bytes, dataFrom, dataTo, ofType);
    } else if (lines > 1) {
      byte[] whole = joined.toByteArray();
      sink.event(now, whole, 0, whole.length, ofType);
    }
  }
}
