package tallystick.simengine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An engine whose metrics can be simulated.
 *
 * @param name for example {@code vllm}
 * @param release whose metrics they are
 * @param tellsCreation whether counters and histograms tell when they began
 * @param showsProcess whether its server shows its process and its HTTP requests
 */
public record EngineKind(
    String name, String release, boolean tellsCreation, boolean showsProcess) {
  private static final List<EngineKind> ALL =
      lines("engines.txt").stream().map(EngineKind::of).toList();

  /** The engine whose scheduler this is, and which stands first. */
  static final EngineKind VLLM = ALL.getFirst();

  private static EngineKind of(String line) {
    List<String> words = List.of(line.split(" "));
    return new EngineKind(
        words.get(0), words.get(1), words.contains("created"), words.contains("process"));
  }

  /**
   * The engine of a name.
   *
   * @throws IllegalArgumentException if no such engine can be simulated
   */
  static EngineKind named(String name) {
    return ALL.stream()
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "family must be one of "
                        + known(", ")
                        + ", was " + name));
  }

  /** The names of all of them. */
  static String known(String between) {
    return ALL.stream().map(EngineKind::name).collect(Collectors.joining(between));
  }

  /** The lines of its metric families. */
  List<String> families() {
    return lines(name + "-" + release + ".families.tsv");
  }

  /** What its metrics are called. */
  MetricNames names() {
    return MetricNames.current(tellsCreation);
  }

  /** The lines of a file beside this class that are no comments. */
  static List<String> lines(String file) {
    try (InputStream stream = EngineKind.class.getResourceAsStream(file);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
