package tallystick.scrape;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/** Walks over one line of an exposition; every fault names the line and the column. */
final class LineCursor {
  /** What a quoted metric name between the braces is kept under until its series is made. */
  static final String NAME = "__name__";

  private final TextPool pool;
  private final byte[] body;
  private final int line;
  private final int start;
  private final int end;
  private int at;

  /** A cursor over {@code body[start, end)}, which is line number {@code line}. */
  LineCursor(byte[] body, int line, int start, int end, TextPool pool) {
    this.pool = pool;
    this.body = body;
    this.line = line;
    this.start = start;
    this.end = end;
    this.at = start;
  }

  /** Where the cursor stands in the body. */
  int at() {
    return at;
  }

  void moveTo(int position) {
    at = position;
  }

  boolean isAtEnd() {
    return at >= end;
  }

  /** The byte under the cursor, 0 at the end. */
  int peek() {
    return at < end ? body[at] : 0;
  }

  void skip() {
    at++;
  }

  void skipBlanks() {
    while (at < end && isBlank(body[at])) {
      at++;
    }
  }

  /** Whether labels come next; blanks before them are passed over where they may stand. */
  boolean isBeforeLabels(boolean strict) {
    int next = at;
    while (!strict && next < end && isBlank(body[next])) {
      next++;
    }
    if (next < end && body[next] == '{') {
      at = next;
      return true;
    }
    return false;
  }

  /** The next blank-free run as text; empty at the end. */
  String token() throws ExpositionException {
    int from = at;
    at = tokenEnd(body, at, end);
    return text(from, at);
  }

  /** A metric's or, without colons, a label's name. */
  String name(boolean colonsAllowed) throws ExpositionException {
    int from = at;
    while (at < end && isNameByte(body[at], at == from, colonsAllowed)) {
      at++;
    }
    if (at == from) {
      throw fault("a name was expected");
    }
    return pool.ascii(body, from, at);
  }

  /** Text in double quotes, its escapes resolved. */
  String quoted() throws ExpositionException {
    expect('"');
    int from = at;
    boolean escaped = false;
    while (at < end && body[at] != '"') {
      if (body[at] == '\\') {
        escaped = true;
        at++;
      }
      at++;
    }
    if (at >= end) {
      throw fault("a closing quote was expected");
    }
    String raw = text(from, at++);
    return escaped ? unescape(raw) : raw;
  }

  /**
   * The labels between braces, the opening one under the cursor.
   *
   * @param strict whether blanks and a trailing comma are faults, as in OpenMetrics
   * @return labels by name; a quoted metric name stands under {@link #NAME}
   */
  SortedMap<String, String> labels(boolean strict) throws ExpositionException {
    SortedMap<String, String> labels = new TreeMap<>();
    expect('{');
    gap(strict);
    while (peek() != '}') {
      readLabel(labels, strict);
      gap(strict);
      if (peek() == ',') {
        at++;
        gap(strict);
        if (strict && peek() == '}') {
          throw fault("a label was expected after the comma");
        }
      } else if (peek() != '}') {
        throw fault("',' or '}' was expected");
      }
    }
    at++;
    return labels;
  }

  private void readLabel(SortedMap<String, String> labels, boolean strict)
      throws ExpositionException {
    boolean isQuoted = peek() == '"';
    String name = isQuoted ? quoted() : name(false);
    gap(strict);
    if (isQuoted && peek() != '=') {
      if (labels.containsKey(NAME) || name.isEmpty()) {
        throw fault("'=' was expected");
      }
      labels.put(NAME, name);
      return;
    }
    expect('=');
    gap(strict);
    String value = quoted();
    if (name.isEmpty() || name.equals(NAME)) {
      throw fault("'" + name + "' cannot name a label");
    }
    if (labels.put(name, value) != null) {
      throw fault("label " + name + " stands twice");
    }
  }

  private void gap(boolean strict) {
    if (!strict) {
      skipBlanks();
    }
  }

  void expect(char wanted) throws ExpositionException {
    if (peek() != wanted || at >= end) {
      throw fault("'" + wanted + "' was expected");
    }
    at++;
  }

  /** The fault at the cursor: what was expected, what stands there, and where. */
  ExpositionException fault(String what) {
    String found = at >= end ? "the line ends" : "found '" + printable(body[at]) + "'";
    return new ExpositionException(line, what + ", " + found + " at column " + (at - start + 1));
  }

  private static String printable(byte value) {
    return value >= ' ' && value < 127 ? String.valueOf((char) value) : "0x%02x".formatted(value);
  }

  private String text(int from, int to) throws ExpositionException {
    int plain = from;
    while (plain < to && body[plain] >= 0) {
      plain++;
    }
    if (plain == to) {
      return pool.ascii(body, from, to);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(body, from, to - from))
          .toString();
    } catch (CharacterCodingException e) {
      throw new ExpositionException(line, "the text is not UTF-8");
    }
  }

  /** An unknown escape stays as it is, which is what prometheus_client's parser does. */
  private static String unescape(String raw) {
    StringBuilder text = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char next = i + 1 < raw.length() ? raw.charAt(i + 1) : 0;
      if (raw.charAt(i) != '\\' || (next != 'n' && next != '"' && next != '\\')) {
        text.append(raw.charAt(i));
      } else {
        text.append(next == 'n' ? '\n' : next);
        i++;
      }
    }
    return text.toString();
  }

  private static boolean isNameByte(byte value, boolean first, boolean colonsAllowed) {
    return (value >= 'a' && value <= 'z')
        || (value >= 'A' && value <= 'Z')
        || value == '_'
        || (value == ':' && colonsAllowed)
        || (value >= '0' && value <= '9' && !first);
  }

  /** Where the blank-free run that begins here ends. */
  static int tokenEnd(byte[] body, int from, int end) {
    int at = from;
    while (at < end && !isBlank(body[at])) {
      at++;
    }
    return at;
  }

  /** A carriage return counts as blank, so that files with Windows line ends can be read. */
  static boolean isBlank(byte value) {
    return value == ' ' || value == '\t' || value == '\r';
  }
}
