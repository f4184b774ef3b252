package tallystick.scrape;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Gives the same string again for bytes seen a moment ago; names and labels repeat by the line. */
final class TextPool {
  private static final int SIZE = 2048; // capacity, a power of two
  private static final int LONGEST = 128; // capacity

  private final byte[][] written = new byte[SIZE][];
  private final String[] texts = new String[SIZE];

  /** The text of {@code body[from, to)}, which is ASCII. */
  String ascii(byte[] body, int from, int to) {
    int length = to - from;
    if (length > LONGEST) {
      return new String(body, from, length, StandardCharsets.ISO_8859_1);
    }
    int hash = length;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + body[i];
    }
    int place = (hash ^ hash >>> 15) & SIZE - 1;
    byte[] known = written[place];
    if (known == null || !Arrays.equals(known, 0, known.length, body, from, to)) {
      written[place] = Arrays.copyOfRange(body, from, to);
      texts[place] = new String(body, from, length, StandardCharsets.ISO_8859_1);
    }
    return texts[place];
  }
}
