package tallystick.report.markup;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What each word on a page means, in the words of docs/metrics.md. A word links to its meaning,
 * which stands in the same file.
 */
public final class Definitions {
  public static final String ID = "definitions";
  public static final String TITLE = "What the words mean";
  private static final String LATENCIES = "client-latencies";
  private static final Map<String, Definition> MEANINGS = new LinkedHashMap<>();
  private static final List<Definition> ALL =
      PageResource.text("definitions.txt").lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Definition::of)
          .toList();

  static {
    ALL.forEach(one -> one.words().forEach(word -> MEANINGS.put(key(word), one)));
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

    // Only a latency's name is the same in any sentence: others are common words, too.
    private boolean isTold(String page) {
      return section.equals(LATENCIES)
          && Pattern.compile("(?i)\\b" + Pattern.quote(words.getFirst()) + "\\b")
              .matcher(page)
              .find();
    }

    public String anchor() {
      return "def-" + words.getFirst().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }
  }

  public static List<Definition> all() {
    return ALL;
  }

  /** What this word means on a page. */
  static Optional<Definition> meaning(String word) {
    return Optional.ofNullable(MEANINGS.get(key(word)));
  }

  /** The quantity that a name of one figure begins with: ITL of {@code ITL P99}. */
  static String quantity(String word) {
    return word.replaceFirst(" (P[0-9.]+|mean)$", "");
  }

  /** Those that a page links to or whose word is told on it; {@code page} is its markup. */
  public static List<Definition> of(String page) {
    return ALL.stream()
        .filter(one -> page.contains("\"#" + one.anchor() + "\"") || one.isTold(page))
        .toList();
  }

  private static String key(String word) {
    return word.strip().toLowerCase(Locale.ROOT);
  }
}
