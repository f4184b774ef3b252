package tallystick.simengine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One family of vLLM's exposition, as its release defines it.
 *
 * @param name name in the HELP line, without {@code _total}
 * @param type what its samples mean
 * @param labels in exposition order
 * @param edges upper bounds of a histogram's buckets, without +Inf; empty otherwise
 * @param help the HELP text
 */
record MetricFamily(String name, Type type, List<Label> labels, double[] edges, String help) {

  /** The family types that vLLM exposes. */
  enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    SUMMARY
  }

  /**
   * A label of the family.
   *
   * @param name label name
   * @param values every value it takes from the start; empty if values come with use
   */
  record Label(String name, List<String> values) {}

  /** Whether every series of the family exists from the start. */
  boolean isComplete() {
    return labels.stream().noneMatch(label -> label.values().isEmpty());
  }

  /**
   * The families of a vLLM release, in exposition order.
   *
   * @param release for example {@code 0.32.0}
   * @param constants values of the labels and placeholders that the engine's settings fill
   * @param maxModelLen decides the edges of token histograms
   * @param isWanted which families, by name
   */
  static List<MetricFamily> ofRelease(
      String release,
      Map<String, List<String>> constants,
      int maxModelLen,
      Predicate<String> isWanted) {
    String file = "vllm-" + release + ".families.tsv";
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                MetricFamily.class.getResourceAsStream(file), StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t"))
          .filter(cells -> isWanted.test(cells[0]))
          .map(cells -> parse(cells, constants, maxModelLen))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MetricFamily parse(
      String[] cells, Map<String, List<String>> constants, int maxModelLen) {
    List<Label> labels =
        cells[2].equals("-")
            ? List.of()
            : Arrays.stream(cells[2].split(","))
                .map(cell -> label(cell, constants))
                .collect(Collectors.toList());
    double[] edges =
        switch (cells[3]) {
          case "-" -> new double[0];
          case "TOK" -> tokenEdges(maxModelLen);
          default -> Arrays.stream(cells[3].split(",")).mapToDouble(Double::parseDouble).toArray();
        };
    return new MetricFamily(
        cells[0], Type.valueOf(cells[1].toUpperCase(java.util.Locale.ROOT)), labels, edges,
        cells[4]);
  }

  private static Label label(String cell, Map<String, List<String>> constants) {
    int equals = cell.indexOf('=');
    if (equals < 0) {
      return new Label(cell, constants.get(cell));
    }
    String name = cell.substring(0, equals);
    String values = cell.substring(equals + 1);
    if (values.equals("*")) {
      return new Label(name, List.of());
    }
    if (values.startsWith("{")) {
      return new Label(name, constants.get(values.substring(1, values.length() - 1)));
    }
    return new Label(name, List.of(values.split("\\|")));
  }

  private static double[] tokenEdges(int maxModelLen) {
    List<Double> edges = new ArrayList<>();
    for (long decade = 1; decade <= maxModelLen; decade *= 10) {
      for (long step : new long[] {1, 2, 5}) {
        if (step * decade <= maxModelLen) {
          edges.add((double) (step * decade));
        }
      }
    }
    return edges.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
