package tallystick.runrecord;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The arrivals of a request's line where they stand as our writer puts them: whole numbers with
 * nothing but commas between. They are most of a long record, and to make a JSON token of each was
 * half of the time of decoding. A line that holds them otherwise is left to the parser.
 *
 * @param nanos moments of the chunks in nanoseconds, added up from the differences in the line
 * @param bracket where the emptied list begins in {@code rest}
 * @param rest the line without its numbers
 */
record PlainArrivals(long[] nanos, int bracket, byte[] rest) {
  private static final byte[] FIELD = "\"chunk_ns\":".getBytes(StandardCharsets.US_ASCII);

  /** Any number of so many digits fits into 64 bits. */
  private static final int MOST_DIGITS = 18;

  private static final int FIRST_SIZE = 256;

  /**
   * The arrivals of a line whose first list is that of its chunks; empty for any other line.
   *
   * @throws ArithmeticException if a moment does not fit into 64 bits
   */
  static Optional<PlainArrivals> of(byte[] bytes, int from, int length) {
    int to = from + length;
    int bracket = from;
    while (bracket < to && bytes[bracket] != '[') {
      bracket++;
    }
    int field = bracket - FIELD.length;
    if (field < from || !Arrays.equals(bytes, field, bracket, FIELD, 0, FIELD.length)) {
      return Optional.empty();
    }
    return new Numbers(bytes, bracket + 1, to).read(from);
  }

  /** A walk over the numbers of a line. */
  private static final class Numbers {
    private final byte[] bytes;
    private final int begin;
    private final int to;
    private long[] moments = new long[FIRST_SIZE];
    private int size;

    Numbers(byte[] bytes, int begin, int to) {
      this.bytes = bytes;
      this.begin = begin;
      this.to = to;
    }

    /** The arrivals of the line that starts there, if the list is plain up to its end. */
    Optional<PlainArrivals> read(int lineStart) {
      long moment = 0;
      int at = begin;
      while (true) {
        int first = at;
        long number = 0;
        while (at < to && bytes[at] >= '0' && bytes[at] <= '9' && at - first < MOST_DIGITS) {
          number = number * 10 + bytes[at] - '0';
          at++;
        }
        boolean isNumber = at - first == 1 || at > first && bytes[first] != '0';
        if (!isNumber || at == to || bytes[at] != ',' && bytes[at] != ']') {
          return Optional.empty();
        }
        moment = Math.addExact(moment, number);
        keep(moment);
        if (bytes[at++] == ']') {
          return Optional.of(without(lineStart, at - 1));
        }
      }
    }

    private void keep(long moment) {
      if (size == moments.length) {
        moments = Arrays.copyOf(moments, size * 2);
      }
      moments[size++] = moment;
    }

    private PlainArrivals without(int lineStart, int end) {
      int head = begin - lineStart;
      byte[] rest = new byte[head + to - end];
      System.arraycopy(bytes, lineStart, rest, 0, head);
      System.arraycopy(bytes, end, rest, head, to - end);
      return new PlainArrivals(Arrays.copyOf(moments, size), head - 1, rest);
    }
  }
}
