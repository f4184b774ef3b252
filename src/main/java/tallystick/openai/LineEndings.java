package tallystick.openai;

import java.io.IOException;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Source;

/**
 * Gives an event stream plain line feeds and no byte order mark. The standard allows LF, CR and
 * CRLF and one leading mark; OkHttp's reader loses events that end in a lone CR. A stream without
 * CR, which is every usual one, passes through uncopied. Source: WHATWG HTML, event stream
 * interpretation.
 */
final class LineEndings extends ForwardingSource {
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final Buffer fresh = new Buffer();
  private boolean endedInReturn;
  private int markSeen;

  LineEndings(Source source) {
    super(source);
  }

  @Override
  public long read(Buffer sink, long byteCount) throws IOException {
    while (true) {
      long before = sink.size();
      boolean plain = markSeen == MARK.length && !endedInReturn;
      if (super.read(plain ? sink : fresh, byteCount) == -1) {
        return -1;
      }
      if (plain && sink.indexOf((byte) '\r', before) < 0) {
        return sink.size() - before;
      }
      if (plain) {
        takeBack(sink, before);
      }
      skipMark();
      translate(sink);
      if (sink.size() > before) {
        return sink.size() - before;
      }
    }
  }

  /** Moves what lies after the first bytes out of the sink again. */
  private void takeBack(Buffer sink, long kept) throws IOException {
    Buffer before = new Buffer();
    before.write(sink, kept);
    fresh.writeAll(sink);
    sink.write(before, kept);
  }

  private void skipMark() throws IOException {
    while (markSeen < MARK.length && fresh.size() > 0) {
      if (fresh.getByte(0) != MARK[markSeen]) {
        markSeen = MARK.length;
        return;
      }
      fresh.skip(1);
      markSeen++;
    }
  }

  private void translate(Buffer sink) throws IOException {
    if (endedInReturn && fresh.size() > 0) {
      endedInReturn = false;
      if (fresh.getByte(0) == '\n') {
        fresh.skip(1);
      }
    }
    long at = fresh.indexOf((byte) '\r');
    while (at >= 0) {
      sink.write(fresh, at);
      fresh.skip(1);
      sink.writeByte('\n');
      if (fresh.size() == 0) {
        endedInReturn = true;
      } else if (fresh.getByte(0) == '\n') {
        fresh.skip(1);
      }
      at = fresh.indexOf((byte) '\r');
    }
    sink.write(fresh, fresh.size());
  }
}
