package tallystick.simengine;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.ObjectMapper;

/** JSON read by Jackson and written piece by piece, because a stream's chunks differ in a word. */
final class Json {
  static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** A text as a JSON string. */
  static String quoted(String text) {
    return isPlain(text)
        ? '"' + text + '"'
        : '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }

  /** A stream's words need no escape, and a chunk is written for each of them. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  /** Token ids as a JSON array. */
  static String array(int[] tokens) {
    StringBuilder array = new StringBuilder("[");
    for (int i = 0; i < tokens.length; i++) {
      array.append(i == 0 ? "" : ",").append(tokens[i]);
    }
    return array.append(']').toString();
  }
}
