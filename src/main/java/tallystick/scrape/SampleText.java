package tallystick.scrape;

/** Cuts a sample line into name and labels, value, timestamp and exemplar. */
final class SampleText {
  private static final double MILLIS_PER_SECOND = 1000;

  private SampleText() {}

  /** Where name and labels end: behind the closing brace, or before the first blank. */
  static int keyEnd(byte[] body, int from, int end) {
    int at = from;
    while (at < end && body[at] != '{' && !LineCursor.isBlank(body[at])) {
      at++;
    }
    int brace = at;
    while (brace < end && LineCursor.isBlank(body[brace])) {
      brace++;
    }
    return brace < end && body[brace] == '{' ? closingBrace(body, brace, end) : at;
  }

  private static int closingBrace(byte[] body, int from, int end) {
    boolean isQuoted = false;
    for (int at = from; at < end; at++) {
      if (body[at] == '"') {
        isQuoted = !isQuoted;
      } else if (body[at] == '\\' && isQuoted) {
        at++;
      } else if (body[at] == '}' && !isQuoted) {
        return at + 1;
      }
    }
    return end;
  }

  /** Where the value starts. */
  static int valueStart(byte[] body, int keyEnd, int end, boolean strict, int line)
      throws ExpositionException {
    int at = keyEnd;
    while (at < end && LineCursor.isBlank(body[at])) {
      at++;
    }
    if (at == end) {
      throw new ExpositionException(line, "a value was expected after the name and labels");
    }
    if (strict && (at != keyEnd + 1 || body[keyEnd] != ' ')) {
      throw new ExpositionException(line, "one space must stand before the value");
    }
    return at;
  }

  /**
   * Whether a value may begin with this byte where the line before had one: more blanks, labels
   * after a blank or the line's end ask for the whole line to be read.
   */
  static boolean mayBeginValue(byte first) {
    return first != '\n' && first != '{' && !LineCursor.isBlank(first);
  }

  static double value(byte[] body, int from, int to, int line) throws ExpositionException {
    try {
      return ExpositionNumber.parse(body, from, to);
    } catch (NumberFormatException e) {
      throw new ExpositionException(line, "value " + e.getMessage());
    }
  }

  /**
   * The sample's own timestamp in seconds since 1970, NaN without one; whole milliseconds in the
   * text format, seconds in OpenMetrics. An exemplar is checked and left out.
   */
  static double timestamp(
      byte[] body, int valueEnd, int end, boolean strict, int line, TextPool pool)
      throws ExpositionException {
    if (valueEnd == end) {
      return Double.NaN;
    }
    LineCursor cursor = new LineCursor(body, line, valueEnd, end, pool);
    gap(cursor, strict);
    double timestamp = Double.NaN;
    if (!cursor.isAtEnd() && cursor.peek() != '#') {
      int from = cursor.at();
      timestamp = time(body, from, LineCursor.tokenEnd(body, from, end), strict, line);
      cursor.moveTo(LineCursor.tokenEnd(body, from, end));
      gap(cursor, strict);
    }
    if (strict && cursor.peek() == '#') {
      exemplar(cursor, body, end, line);
    }
    if (!cursor.isAtEnd()) {
      throw cursor.fault("the end of the line was expected");
    }
    return timestamp;
  }

  private static void gap(LineCursor cursor, boolean strict) throws ExpositionException {
    if (!strict) {
      cursor.skipBlanks();
    } else if (!cursor.isAtEnd()) {
      cursor.expect(' ');
    }
  }

  private static double time(byte[] body, int from, int to, boolean strict, int line)
      throws ExpositionException {
    if (strict) {
      double seconds = value(body, from, to, line);
      if (!Double.isFinite(seconds)) {
        throw new ExpositionException(line, "a timestamp is a number of seconds");
      }
      return seconds;
    }
    int digits = body[from] == '-' || body[from] == '+' ? from + 1 : from;
    for (int at = digits; at < to; at++) {
      if (body[at] < '0' || body[at] > '9') {
        throw new ExpositionException(line, "a timestamp is a whole number of milliseconds");
      }
    }
    return value(body, from, to, line) / MILLIS_PER_SECOND;
  }

  private static void exemplar(LineCursor cursor, byte[] body, int end, int line)
      throws ExpositionException {
    cursor.expect('#');
    cursor.expect(' ');
    cursor.labels(true);
    cursor.expect(' ');
    for (int field = 0; field < 2 && !cursor.isAtEnd(); field++) {
      int to = LineCursor.tokenEnd(body, cursor.at(), end);
      value(body, cursor.at(), to, line);
      cursor.moveTo(to);
      gap(cursor, true);
    }
  }

  /** How many lines the text has. */
  static int lines(byte[] text) {
    int lines = 1;
    for (byte value : text) {
      lines += value == '\n' ? 1 : 0;
    }
    return lines;
  }
}
