package tallystick.openai;

import java.io.IOException;
import okio.Buffer;
import okio.ByteString;
import okio.ForwardingSource;
import okio.Source;

/**
 * Counts the bytes of one event stream, plain line feeds by then, and bounds a single event: what
 * never comes to an empty line would otherwise fill the memory. One thread.
 */
final class StreamBytes extends ForwardingSource {
  /** A stream nothing was read from. */
  static final StreamBytes NONE = new StreamBytes(new Buffer());

  private static final int MOST_EVENT_BYTES = 16 << 20;

  /** Below this nobody looks for the end of an event, so that usual streams are not read twice. */
  private static final int UNCHECKED_BYTES = 1 << 20;

  private static final ByteString EVENT_END = ByteString.encodeUtf8("\n\n");

  private Buffer unread = new Buffer();
  private long passed;
  private long lastText;
  private long sinceEventEnd;

  StreamBytes(Source source) {
    super(source);
  }

  /** An event that did not end within {@value #MOST_EVENT_BYTES} bytes. */
  static final class EndlessEventException extends IOException {
    private static final long serialVersionUID = 1L;

    EndlessEventException() {
      super("an event of more than " + MOST_EVENT_BYTES + " bytes");
    }
  }

  /** Names the buffer into which this source is read. */
  void bufferedIn(Buffer buffer) {
    unread = buffer;
  }

  /** Bytes that the reader of events has taken so far. */
  long consumed() {
    return passed - unread.size();
  }

  /** Position after the last byte that is no line feed. */
  long lastText() {
    return lastText;
  }

  @Override
  public long read(Buffer sink, long byteCount) throws IOException {
    long before = sink.size();
    long size = super.read(sink, byteCount);
    if (size > 0) {
      passed += size;
      noteText(sink, size);
      boundEvent(sink, before, size);
      return size;
    }
    return size < 0 && lastText == passed && passed > 0 ? endLine(sink) : size;
  }

  /** A body may end inside a line: the standard ends it there, OkHttp's reader calls it broken. */
  private long endLine(Buffer sink) {
    sink.writeByte('\n');
    passed++;
    return 1;
  }

  private void noteText(Buffer sink, long size) {
    long feeds = 0;
    while (feeds < size && sink.getByte(sink.size() - 1 - feeds) == '\n') {
      feeds++;
    }
    lastText = feeds < size ? passed - feeds : lastText;
  }

  private void boundEvent(Buffer sink, long before, long size) throws IOException {
    sinceEventEnd += size;
    if (sinceEventEnd <= UNCHECKED_BYTES) {
      return;
    }
    long end = sink.indexOf(EVENT_END, Math.max(0, before - 1));
    if (end >= 0) {
      sinceEventEnd = sink.size() - end;
    } else if (sinceEventEnd > MOST_EVENT_BYTES) {
      throw new EndlessEventException();
    }
  }
}
