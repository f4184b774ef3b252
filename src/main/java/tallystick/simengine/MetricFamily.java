package tallystick.simengine;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * One family of an engine's exposition, as its release defines it.
 *
 * @param name name in the HELP line, without {@code _total}
 * @param type what its samples mean
 * @param labels in exposition order
 * @param edges upper bounds of a histogram's buckets, without +Inf; empty otherwise
 * @param feeds what its series tell
 * @param help the HELP text
 */
record MetricFamily(
    String name, Type type, List<Label> labels, double[] edges, List<Feed> feeds, String help) {
  private static final String RANK = "engine";
  private static final List<String> SERVERS = List.of("python_", "process_", "http_");

  /** The family types that engines expose. */
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
   * @param isRank whether its values are the numbers of the engines behind the server
   */
  record Label(String name, List<String> values, boolean isRank) {}

  /**
   * An event that series of the family tell.
   *
   * @param label empty if every series tells it
   * @param value of the label, for the series that tells it; {@code *} if the event names the value
   */
  record Feed(EngineEvent event, String label, String value) {
    boolean isAnyValue() {
      return value.equals("*");
    }

    private static Feed of(String cell) {
      String[] both = cell.split(":");
      String[] label = both.length == 1 ? new String[] {"", ""} : both[0].split("=");
      return new Feed(EngineEvent.named(both[both.length - 1]), label[0], label[1]);
    }
  }

  /** Whether the engine, not the server, owns the family. */
  boolean isOfEngine() {
    return SERVERS.stream().noneMatch(name::startsWith);
  }

  /** Whether it speaks of drafted tokens, and is there with speculative decoding only. */
  boolean tellsDrafts() {
    return feeds.stream().map(Feed::event).anyMatch(EngineEvent.DRAFTING::contains);
  }

  /** Whether a series with these label values speaks of an engine; without a rank, of each. */
  boolean isOf(List<String> values, int rank) {
    for (int i = 0; i < values.size(); i++) {
      if (labels.get(i).isRank() && !values.get(i).equals(Integer.toString(rank))) {
        return false;
      }
    }
    return true;
  }

  /** Whether every series of the family exists from the start. */
  boolean isComplete() {
    return labels.stream().noneMatch(label -> label.values().isEmpty());
  }

  /**
   * The families of an engine, in exposition order.
   *
   * @param constants values of the labels and placeholders that the engine's settings fill
   * @param maxModelLen decides the edges of token histograms
   */
  static List<MetricFamily> of(
      EngineKind kind, Map<String, List<String>> constants, int maxModelLen) {
    return kind.families().stream()
        .map(line -> parse(line.split("\t"), constants, maxModelLen))
        .toList();
  }

  private static MetricFamily parse(
      String[] cells, Map<String, List<String>> constants, int maxModelLen) {
    double[] edges =
        switch (cells[3]) {
          case "TOK" -> tokenEdges(maxModelLen);
          default -> list(cells[3]).stream().mapToDouble(Double::parseDouble).toArray();
        };
    return new MetricFamily(
        cells[0],
        Type.valueOf(cells[1].toUpperCase(Locale.ROOT)),
        list(cells[2]).stream().flatMap(cell -> label(cell, constants).stream()).toList(),
        edges,
        list(cells[4]).stream().map(Feed::of).toList(),
        cells[5]);
  }

  private static List<String> list(String cell) {
    return cell.equals("-") ? List.of() : List.of(cell.split(","));
  }

  /** A label; none where it would tell nothing apart. */
  private static Optional<Label> label(String cell, Map<String, List<String>> constants) {
    int equals = cell.indexOf('=');
    String name = equals < 0 ? cell : cell.substring(0, equals);
    String values = equals < 0 ? "{" + cell + "}" : cell.substring(equals + 1);
    if (values.equals("*")) {
      return Optional.of(new Label(name, List.of(), false));
    }
    if (!values.startsWith("{")) {
      return Optional.of(new Label(name, List.of(values.split("\\|")), false));
    }
    String filled = values.substring(1, values.indexOf('}'));
    Label label =
        new Label(name, constants.getOrDefault(filled, List.of()), filled.equals(RANK));
    return Optional.of(label).filter(one -> !values.endsWith("?") || one.values().size() > 1);
  }

  private static double[] tokenEdges(int maxModelLen) {
    return LongStream.iterate(1, decade -> decade <= maxModelLen, decade -> decade * 10)
        .flatMap(decade -> LongStream.of(decade, 2 * decade, 5 * decade))
        .filter(edge -> edge <= maxModelLen)
        .asDoubleStream()
        .toArray();
  }
}
