package tallystick.experiment.engine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tallystick.experiment.EngineSetting;
import tallystick.scenario.PlainText;

/**
 * What an engine printed.
 *
 * @param file all of it
 */
record EngineLog(Path file) {
  private static final int MOST_BYTES = 1 << 22;
  private static final int TAIL_BYTES = 2_048;
  private static final int MOST_CAUSES = 3;
  private static final int LAST_LINES = 6;
  private static final int WIDEST = 160;

  /** The cause stands before the traces of all who noticed. */
  private static final Pattern CAUSE = Pattern.compile("\\b\\w*(Error|Exception)\\b: ?\\S");

  /** Its first bytes, or its last ones; nothing if it cannot be read. */
  private String read(boolean fromItsEnd, int most) {
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.min(most, log.length())];
      log.seek(fromItsEnd ? log.length() - bytes.length : 0);
      log.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Its last line; empty while it has none. */
  Optional<String> lastLine() {
    List<String> lines = lines(read(true, TAIL_BYTES));
    return lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast());
  }

  /** What it said at its end, and the errors before that, to be shown below a sentence. */
  String lastWords() {
    List<String> lines = lines(read(true, MOST_BYTES));
    int rest = Math.max(0, lines.size() - LAST_LINES);
    List<String> shown =
        new ArrayList<>(
            lines.subList(0, rest).stream()
                .filter(line -> CAUSE.matcher(line).find())
                .distinct()
                .limit(MOST_CAUSES)
                .toList());
    shown.addAll(lines.subList(rest, lines.size()));
    String head = shown.isEmpty() ? "it printed nothing" : "it printed at last";
    StringBuilder text = new StringBuilder("; " + head + " (" + file + ")");
    shown.forEach(line -> text.append("\n  ").append(line));
    return text.toString();
  }

  private static List<String> lines(String text) {
    return text.lines()
        .filter(line -> !line.isBlank())
        .map(PlainText::oneLine)
        .map(line -> line.length() > WIDEST ? line.substring(0, WIDEST - 1) + "…" : line)
        .toList();
  }

  /**
   * What an engine runs with: as its metrics tell, else as it printed it last, else as it was
   * asked.
   *
   * @param metrics what its metrics tell of its settings
   */
  List<EngineSetting> settings(Map<String, String> asked, Map<String, String> metrics) {
    return settings(asked, metrics, read(false, MOST_BYTES));
  }

  /** The same of one that printed this. */
  static List<EngineSetting> settings(
      Map<String, String> asked, Map<String, String> metrics, String printed) {
    return asked.entrySet().stream()
        .map(one -> setting(one.getKey(), one.getValue(), metrics, printed))
        .toList();
  }

  private static EngineSetting setting(
      String name, String asked, Map<String, String> metrics, String printed) {
    if (metrics.containsKey(name)) {
      return new EngineSetting(name, asked, metrics.get(name), EngineSetting.Source.METRICS);
    }
    return printed(name, printed)
        .map(value -> new EngineSetting(name, asked, value, EngineSetting.Source.LOG))
        .orElse(EngineSetting.declared(name, asked));
  }

  /** The last of {@code max_num_seqs=9}, {@code 'max_num_seqs': 9}, {@code max_num_seqs to 9}. */
  private static Optional<String> printed(String name, String text) {
    return Pattern.compile(
            "(?<![\\w-])" + Pattern.quote(name)
                + "(?:['\"]?\\s*[:=]\\s*['\"]?|\\s+(?:from\\s+\\S+\\s+)?to\\s+)"
                + "([\\w./+-]*[\\w+])(?![\\w\\[({])")
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .reduce((earlier, later) -> later);
  }
}
