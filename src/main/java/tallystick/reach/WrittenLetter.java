package tallystick.reach;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The ways in which texts write one letter: as it is, as in JSON, and as in a URL. */
final class WrittenLetter {
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";
  private static final String ESCAPES = "\"\\/bfnrt";

  private WrittenLetter() {}

  /** Where a letter ends in a text that has it here, however written; here if it has not. */
  static int endOf(int letter, String text, int at) {
    if (at >= text.length()) {
      return at;
    }
    int next = text.codePointAt(at);
    if (next == '\\') {
      int end = inJson(letter, text, at);
      return end == at && letter == '\\' ? at + 1 : end;
    }
    if (next == letter && !text.startsWith("%25", at)) {
      return at + Character.charCount(letter);
    }
    return switch (next) {
      case '%' -> inUrl(letter, text, at);
      case '+' -> letter == ' ' ? at + 1 : at;
      default -> at;
    };
  }

  private static int inJson(int letter, String text, int at) {
    int escape = ESCAPED.indexOf(letter);
    if (escape >= 0 && text.startsWith(ESCAPES.substring(escape, escape + 1), at + 1)) {
      return at + 2;
    }
    String hex = "\\u%04x".formatted(letter);
    return same(hex, text, at) ? at + hex.length() : at;
  }

  /** Hex digits in large and small letters; a letter beyond ASCII has several bytes. */
  private static int inUrl(int letter, String text, int at) {
    byte[] bytes = Character.toString(letter).getBytes(StandardCharsets.UTF_8);
    String hex = "%" + HexFormat.ofDelimiter("%").formatHex(bytes);
    return same(hex, text, at) ? at + hex.length() : at;
  }

  private static boolean same(String expected, String text, int at) {
    return text.regionMatches(true, at, expected, 0, expected.length());
  }
}
