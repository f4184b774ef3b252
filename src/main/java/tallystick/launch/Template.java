package tallystick.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text with gaps; what fills them is never looked at for gaps again. */
final class Template {
  private static final Pattern GAP = Pattern.compile("\\$\\{([a-z]+)}");

  private Template() {}

  static String fill(String file, Map<String, String> values) {
    return GAP.matcher(read(file))
        .replaceAll(gap -> Matcher.quoteReplacement(value(file, gap.group(1), values)));
  }

  private static String value(String file, String name, Map<String, String> values) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalStateException(file + " has a gap for " + name);
    }
    return value;
  }

  private static String read(String file) {
    try (InputStream in = Template.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lines moved to the right. */
  static String indent(int spaces, String text) {
    return text.strip().indent(spaces).stripTrailing();
  }

  /** One word of a shell; whatever it holds, it stays one. */
  static String shellWord(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
