package tallystick.alerting.lint;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tallystick.alerting.RuleFile;
import tallystick.alerting.YamlReader;

/** Writes renamed metrics as they are called now, and leaves every other letter of a file alone. */
public final class RenamedMetrics {
  /** Where expressions stand. A title may read the same, and stays; a list's items have no key. */
  private static final Set<String> KEYS = Set.of("expr", "query", "definition");

  private final Map<String, Map<String, String>> renamed;
  private int count;

  private RenamedMetrics(Map<String, Map<String, String>> renamed) {
    this.renamed = renamed;
  }

  /** A file's text with how many names in it were changed. */
  public record Mended(String text, int names) {}

  /**
   * Mends a file.
   *
   * @param text what the file was read from
   */
  public static Mended mend(RuleFile file, String text, ExposedSeries exposed) {
    RenamedMetrics metrics = new RenamedMetrics(RuleLint.renamed(file, exposed));
    try {
      String mended = metrics.renamed.isEmpty() ? text : metrics.mended(text);
      return new Mended(mended, metrics.count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A text that was read before, with each expression in it mended. */
  private String mended(String text) throws IOException {
    boolean isJson = YamlReader.isJson(text);
    List<Integer> lines = lineStarts(text);
    StringBuilder mended = new StringBuilder();
    int done = 0;
    try (JsonParser parser =
        isJson ? YamlReader.json(text) : new YAMLFactory().createParser(text)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING) {
          String value = parser.getText();
          int begin = offset(text, lines, parser.currentTokenLocation());
          int end = offset(text, lines, parser.currentLocation());
          mended.append(text, done, begin);
          mended.append(mended(text.substring(begin, end), value, parser.currentName()));
          done = end;
        }
      }
    }
    return mended.append(text.substring(done)).toString();
  }

  /** A value as it stands in the file: an expression, a dashboard in a block, or anything else. */
  private String mended(String raw, String value, String key) throws IOException {
    if (renamed.containsKey(value) && (key == null || KEYS.contains(key))) {
      String mended = raw;
      for (Map.Entry<String, String> name : renamed.get(value).entrySet()) {
        Matcher old =
            Pattern.compile("(?<![\\w:])" + Pattern.quote(name.getKey()) + "(?![\\w:])")
                .matcher(mended);
        count += (int) old.results().count();
        mended = old.reset().replaceAll(Matcher.quoteReplacement(name.getValue()));
      }
      return mended;
    }
    int body = raw.indexOf('\n') + 1;
    boolean isDashboard = raw.startsWith("|") && YamlReader.isJson(raw.substring(body));
    return isDashboard ? raw.substring(0, body) + mended(raw.substring(body)) : raw;
  }

  private static List<Integer> lineStarts(String text) {
    List<Integer> starts = new ArrayList<>(List.of(0));
    YamlReader.BREAK.matcher(text).results().forEach(line -> starts.add(line.end()));
    return starts;
  }

  /** JSON's parser counts letters; YAML's tells line and column. */
  private static int offset(String text, List<Integer> lines, JsonLocation place) {
    if (place.getCharOffset() >= 0) {
      return (int) place.getCharOffset();
    }
    int start = lines.get(Math.min(place.getLineNr(), lines.size()) - 1);
    return text.offsetByCodePoints(start, place.getColumnNr() - 1);
  }
}
