package tallystick.openai;

import java.util.Arrays;

/**
 * Walks through the bytes of a JSON text without taking it apart. It knows a part of JSON, and that
 * part exactly: every step says whether what lies here is of that part, and after the first that is
 * not, the place means nothing. What it refuses may still be JSON. One thread; allocates nothing.
 */
final class JsonCursor {
  /** Values nested deeper are refused. */
  private static final int MOST_LEVELS = 32;

  private static final int MOST_NAME_BYTES = 1_000;
  private static final int MOST_DIGITS = 18;

  /** Counts of more digits are refused: they might not be an {@code int}. */
  private static final int MOST_COUNT_DIGITS = 9;

  private static final byte[] NULL = {'n', 'u', 'l', 'l'};
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};

  /**
   * Reads the value that follows a name, the cursor on its first byte; false refuses it. The name
   * is given by the indices of its bytes.
   */
  interface Fields {
    boolean take(int nameFrom, int nameTo);
  }

  /** Reads one value of an array, the cursor on its first byte; false refuses it. */
  interface Values {
    boolean take();
  }

  private final Fields noFields = (from, to) -> skipValue();
  private final Values noValues = this::skipValue;

  private byte[] data = new byte[0];
  private int at;
  private int end;
  private int level;
  private int count;
  private boolean isEscaped;

  /** Puts the cursor before the first value of a text. */
  void begin(byte[] bytes, int from, int to) {
    data = bytes;
    at = from;
    end = to;
    level = 0;
    skipSpace();
  }

  /** Whether nothing but space follows. */
  boolean isAtEnd() {
    skipSpace();
    return at == end;
  }

  /** Index of the next byte. */
  int position() {
    return at;
  }

  /** The number that {@link #takeCount} took last. */
  int count() {
    return count;
  }

  /** Whether the string that {@link #takeString} took last has escapes. */
  boolean isEscaped() {
    return isEscaped;
  }

  boolean is(byte[] name, int from, int to) {
    return to - from == name.length
        && data[from] == name[0]
        && Arrays.equals(data, from, to, name, 0, name.length);
  }

  /** An object; {@code fields} reads each of its values. */
  boolean takeObject(Fields fields) {
    if (++level > MOST_LEVELS || !opens('{')) {
      return false;
    }
    if (!passes('}')) {
      do {
        skipSpace();
        int nameFrom = at + 1;
        if (!takePlainString() || at - nameFrom > MOST_NAME_BYTES) {
          return false;
        }
        int nameTo = at - 1;
        skipSpace();
        if (!opens(':') || !fields.take(nameFrom, nameTo)) {
          return false;
        }
      } while (hasNext());
      if (!passes('}')) {
        return false;
      }
    }
    level--;
    return true;
  }

  /** An array; {@code values} reads each of its values. */
  boolean takeArray(Values values) {
    if (++level > MOST_LEVELS || !opens('[')) {
      return false;
    }
    if (!passes(']')) {
      do {
        if (!values.take()) {
          return false;
        }
      } while (hasNext());
      if (!passes(']')) {
        return false;
      }
    }
    level--;
    return true;
  }

  /** Whether a comma follows a value; the cursor is on the next value or name then. */
  private boolean hasNext() {
    skipSpace();
    if (passes(',')) {
      skipSpace();
      return true;
    }
    return false;
  }

  boolean skipValue() {
    if (at >= end) {
      return false;
    }
    return switch (data[at]) {
      case '"' -> takeString();
      case '{' -> takeObject(noFields);
      case '[' -> takeArray(noValues);
      case 'n' -> takeNull();
      case 't' -> takeWord(TRUE);
      case 'f' -> takeWord(FALSE);
      default -> skipNumber();
    };
  }

  /** An integer or a decimal fraction; no exponent. */
  private boolean skipNumber() {
    at += data[at] == '-' ? 1 : 0;
    if (!takeDigits(MOST_DIGITS, false)) {
      return false;
    }
    if (at < end && data[at] == '.') {
      at++;
      return takeDigits(MOST_DIGITS, true) && endsWord(at);
    }
    return endsWord(at);
  }

  /** A number of at most {@value #MOST_COUNT_DIGITS} digits and nothing else. */
  boolean takeCount() {
    int from = at;
    count = 0;
    if (!takeDigits(MOST_COUNT_DIGITS, false) || !endsWord(at)) {
      return false;
    }
    for (int i = from; i < at; i++) {
      count = count * 10 + data[i] - '0';
    }
    return true;
  }

  private boolean takeDigits(int most, boolean mayLeadWithZero) {
    int from = at;
    while (at < end && data[at] >= '0' && data[at] <= '9') {
      at++;
    }
    int size = at - from;
    return size > 0 && size <= most && (size == 1 || mayLeadWithZero || data[from] != '0');
  }

  /** The word {@code null}; the cursor stays where it is if it is another value. */
  boolean takeNull() {
    return takeWord(NULL);
  }

  private boolean takeWord(byte[] word) {
    int after = at + word.length;
    boolean isThere =
        after <= end
            && data[at] == word[0]
            && Arrays.equals(data, at, after, word, 0, word.length)
            && endsWord(after);
    at = isThere ? after : at;
    return isThere;
  }

  private boolean endsWord(int index) {
    return index < end
        && switch (data[index]) {
          case ',', '}', ']', ' ', '\n', '\r', '\t' -> true;
          default -> false;
        };
  }

  /** A string of ASCII without escapes; the cursor ends behind its closing quote. */
  boolean takePlainString() {
    if (!passes('"')) {
      return false;
    }
    while (at < end) {
      byte next = data[at++];
      if (next == '"') {
        return true;
      }
      if (next < ' ' || next == '\\') {
        return false;
      }
    }
    return false;
  }

  /** Any string. Bytes that are no UTF-8 are text: its reader sees replacement characters. */
  boolean takeString() {
    isEscaped = false;
    if (!passes('"')) {
      return false;
    }
    while (at < end) {
      byte next = data[at++];
      if (next == '"') {
        return true;
      }
      if (next == '\\' ? !skipEscape() : next >= 0 && next < ' ') {
        return false;
      }
    }
    return false;
  }

  private boolean skipEscape() {
    isEscaped = true;
    if (at >= end) {
      return false;
    }
    return switch (data[at++]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> true;
      case 'u' -> skipHexDigits();
      default -> false;
    };
  }

  private boolean skipHexDigits() {
    int after = at + 4;
    while (at < after && at < end && Character.digit(data[at], 16) >= 0) {
      at++;
    }
    return at == after;
  }

  private void skipSpace() {
    while (at < end && isSpace(data[at])) {
      at++;
    }
  }

  private static boolean isSpace(byte next) {
    return next == ' ' || next == '\n' || next == '\r' || next == '\t';
  }

  private boolean opens(char mark) {
    if (passes(mark)) {
      skipSpace();
      return true;
    }
    return false;
  }

  private boolean passes(char mark) {
    boolean isThere = at < end && data[at] == mark;
    at += isThere ? 1 : 0;
    return isThere;
  }
}
