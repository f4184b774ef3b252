package tallystick.report.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What each word on a page means, in the words of docs/metrics.md. A word links to its meaning,
 * which stands in the same file.
 */
public final class Definitions {
  public static final String ID = "definitions";
  private static final Map<String, String> ANCHORS = new LinkedHashMap<>();
  private static final List<Definition> ALL =
      PageResource.text("definitions.txt").lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Definition::of)
          .toList();

  static {
    ALL.forEach(one -> one.words().forEach(word -> ANCHORS.put(key(word), one.anchor())));
  }

  private Definitions() {}

  /**
   * One meaning.
   *
   * @param words what is called so on a page
   * @param section where docs/metrics.md says more
   */
  public record Definition(List<String> words, String section, String text) {
    private static Definition of(String line) {
      String[] parts = line.split(" \\| ", 3);
      if (parts.length < 3) {
        throw new IllegalStateException("definitions.txt: not words | section | text: " + line);
      }
      return new Definition(List.of(parts[0].split(", ")), parts[1], parts[2]);
    }

    public String anchor() {
      return "def-" + words.getFirst().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }
  }

  public static List<Definition> all() {
    return ALL;
  }

  /** Where a page says what this word means. */
  public static Optional<String> anchorOf(String word) {
    return Optional.ofNullable(ANCHORS.get(key(word)));
  }

  private static String key(String word) {
    return word.strip().toLowerCase(Locale.ROOT);
  }
}
