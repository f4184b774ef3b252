package tallystick.scenario;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Bytes that must end a line now and then: who reads line by line holds a whole one in memory. */
final class BoundedLines extends FilterInputStream {
  /** Four times the longest text that is read as JSON. */
  static final int LONGEST = 64 << 20;

  private long sinceNewline;

  BoundedLines(InputStream in) {
    super(in);
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int read = super.read(bytes, from, length);
    int newline = from + read - 1;
    while (newline >= from && bytes[newline] != '\n') {
      newline--;
    }
    sinceNewline = newline < from ? sinceNewline + read : from + read - 1 - newline;
    if (sinceNewline > LONGEST) {
      throw new IOException("a line is longer than 64 MiB");
    }
    return read;
  }
}
