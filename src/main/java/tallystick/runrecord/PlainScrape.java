package tallystick.runrecord;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A scrape's line as our writer puts it: names, numbers and lists of numbers without a blank. To
 * make a JSON token of each number was half of the time of decoding. A line that says anything
 * else, even an empty list, is left to the parser.
 */
final class PlainScrape {
  /** Powers of ten that a double holds exactly: one division by them rounds as it should. */
  private static final double[] TENS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final long EXACT = 1L << 53; // whole numbers up to it are doubles
  private static final long MOST = 100_000_000_000_000_000L; // with one digit more it fits 64 bits
  private static final int MOST_EXPONENT_DIGITS = 3; // as a double has

  private final byte[] bytes;
  private final int to;
  private int at;

  /** The number read last: its digits, and the power of ten by which they are multiplied. */
  private long digits;

  private int power;
  private boolean isWhole;

  private PlainScrape(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.to = to;
  }

  /**
   * What the line says; empty if it is not plain.
   *
   * @throws IOException if a list holds what it must not
   */
  static Optional<ScrapeLine> of(byte[] bytes, int from, int length) throws IOException {
    return new PlainScrape(bytes, from, from + length).line();
  }

  private Optional<ScrapeLine> line() throws IOException {
    ObjectNode fields = RecordJson.MAPPER.createObjectNode();
    double[] none = {};
    Map<String, double[]> lists = new HashMap<>(Map.of("id", none, "value", none, "gone", none));
    for (char before = '{'; is(before); before = ',') {
      Optional<String> name = word();
      if (name.isEmpty() || !is(':')) {
        return Optional.empty();
      }
      boolean isList = lists.containsKey(name.get());
      Optional<String> word = isList ? Optional.empty() : word();
      if (isList) {
        Optional<double[]> list = list();
        if (list.isEmpty()) {
          return Optional.empty();
        }
        lists.put(name.get(), list.get());
        fields.putNull(name.get());
      } else if (word.isPresent()) {
        fields.put(name.get(), word.get());
      } else if (isNumber() && isWhole) {
        fields.put(name.get(), digits);
      } else {
        return Optional.empty();
      }
    }
    return !fields.isEmpty() && is('}') && at == to
        ? Optional.of(new ScrapeLine(
            fields, RecordJson.smalls(lists.get("id"), "id"), lists.get("value"),
            RecordJson.smalls(lists.get("gone"), "gone")))
        : Optional.empty();
  }

  private boolean is(char wanted) {
    boolean is = at < to && bytes[at] == wanted;
    at += is ? 1 : 0;
    return is;
  }

  /** A text of small letters, digits and underscores; without one nothing is passed. */
  private Optional<String> word() {
    int end = at + 1;
    while (end < to && (bytes[end] >= 'a' && bytes[end] <= 'z' || bytes[end] == '_'
        || isDigit(end))) {
      end++;
    }
    if (end >= to || bytes[at] != '"' || bytes[end] != '"') {
      return Optional.empty();
    }
    String word = new String(bytes, at + 1, end - at - 1, StandardCharsets.US_ASCII);
    at = end + 1;
    return Optional.of(word);
  }

  private Optional<double[]> list() {
    double[] numbers = new double[64];
    int size = 0;
    for (char before = '['; is(before); before = ',') {
      int first = at;
      if (!isNumber()) {
        return Optional.empty();
      }
      numbers = size < numbers.length ? numbers : Arrays.copyOf(numbers, 2 * size);
      numbers[size++] = number(first);
    }
    return size > 0 && is(']')
        ? Optional.of(Arrays.copyOf(numbers, size))
        : Optional.empty();
  }

  private double number(int first) {
    boolean isExact = digits <= EXACT && Math.abs(power) < TENS.length;
    return isExact
        ? power < 0 ? digits / TENS[-power] : digits * TENS[power]
        : Double.parseDouble(new String(bytes, first, at - first, StandardCharsets.US_ASCII));
  }

  /** Passes a number that has no sign; tells whether there was one. */
  private boolean isNumber() {
    int first = at;
    digits = 0;
    power = 0;
    boolean fits = passDigits();
    if (at == first || at > first + 1 && bytes[first] == '0') {
      return false;
    }
    isWhole = true;
    if (is('.')) {
      isWhole = false;
      int point = at;
      fits &= passDigits() && at > point;
      power = point - at;
    }
    return fits && (!is('E') || passExponent());
  }

  /** Whether all digits there fit. */
  private boolean passDigits() {
    while (at < to && isDigit(at)) {
      if (digits >= MOST) {
        return false;
      }
      digits = digits * 10 + bytes[at++] - '0';
    }
    return true;
  }

  private boolean passExponent() {
    isWhole = false;
    int sign = is('-') ? -1 : 1;
    int first = at;
    int exponent = 0;
    while (at < to && isDigit(at) && at - first < MOST_EXPONENT_DIGITS) {
      exponent = exponent * 10 + bytes[at++] - '0';
    }
    power += sign * exponent;
    return at > first;
  }

  private boolean isDigit(int place) {
    return bytes[place] >= '0' && bytes[place] <= '9';
  }
}
