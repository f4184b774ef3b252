package tallystick.report.section;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.ExporterAccount.MeasuringPoint;
import tallystick.analysis.result.ExporterAccount.Observed;
import tallystick.analysis.result.ExporterAccount.PointOrder;
import tallystick.analysis.result.Figure;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.scenario.Exporter.Quantity;

/** What each point between the client and the engine counted. */
public final class PointsSection {
  private static final String TITLE = "From the client to the engine, point by point";
  private static final Map<Quantity, String> COUNTS = new EnumMap<>(Quantity.class);
  private static final Map<Quantity, String> LATENCIES = new EnumMap<>(Quantity.class);

  static {
    COUNTS.put(Quantity.REQUESTS, "requests");
    COUNTS.put(Quantity.ERRORS, "errors");
    COUNTS.put(Quantity.PROMPT_TOKENS, "prompt tokens");
    COUNTS.put(Quantity.OUTPUT_TOKENS, "output tokens");
    LATENCIES.put(Quantity.TTFT, "TTFT mean");
    LATENCIES.put(Quantity.ITL, "ITL mean");
    LATENCIES.put(Quantity.E2E, "E2E mean");
  }

  private PointsSection() {}

  /** Nothing where there is only the client. */
  public static Section of(ExporterAccount surroundings) {
    List<Block> blocks = new ArrayList<>();
    List<MeasuringPoint> points = surroundings.points();
    if (!points.isEmpty()) {
      List<Column> columns = new ArrayList<>(List.of(Column.name("")));
      points.forEach(point -> columns.add(Column.number(name(point.name()))));
      blocks.add(new Block.Table(TITLE, false, columns, rows(points)));
      List<Block.Item> orders = surroundings.orders().stream().map(PointsSection::order).toList();
      blocks.add(new Block.Items(false, orders));
    }
    return Section.of("points", TITLE, blocks);
  }

  // Counts, then requests by status, then times.
  private static List<Block.Row> rows(List<MeasuringPoint> points) {
    List<Block.Row> rows = new ArrayList<>();
    COUNTS.forEach(
        (word, shown) -> {
          if (points.stream().anyMatch(point -> point.counts().containsKey(word))) {
            rows.add(row(shown, points, point -> count(point, word)));
          }
        });
    TreeSet<String> statuses = new TreeSet<>();
    points.forEach(point -> statuses.addAll(point.byStatus().keySet()));
    for (String status : statuses) {
      rows.add(row(statusName(status), points, point -> status(point, status)));
    }
    LATENCIES.forEach(
        (word, shown) -> {
          if (points.stream().anyMatch(point -> point.latencies().containsKey(word))) {
            rows.add(row(shown, points, point -> latency(point, word)));
          }
        });
    return rows;
  }

  private static Block.Row row(
      String name, List<MeasuringPoint> points, Function<MeasuringPoint, String> words) {
    List<Cell> cells = new ArrayList<>(List.of(Cell.of(name)));
    points.forEach(point -> cells.add(Cell.of(words.apply(point))));
    return new Block.Row(Tone.PLAIN, cells);
  }

  private static String count(MeasuringPoint point, Quantity word) {
    Figure figure = point.counts().get(word);
    return figure instanceof Figure.Known known ? Numbers.count(known.value()) : "–";
  }

  private static String status(MeasuringPoint point, String status) {
    Double count = point.byStatus().get(status);
    if (count != null) {
      return Numbers.count(count);
    }
    // A point that tells classes of status saw none of this one; other words it does not know.
    boolean tellsClasses = point.byStatus().keySet().stream().anyMatch(PointsSection::isClass);
    return tellsClasses && isClass(status) ? "0" : "–";
  }

  private static boolean isClass(String status) {
    return status.matches("[1-5]xx");
  }

  private static String latency(MeasuringPoint point, Quantity word) {
    Observed observed = point.latencies().get(word);
    return observed != null && observed.mean() instanceof Figure.Known
        ? Numbers.latency(observed.mean()) + " of " + Numbers.count(observed.count())
        : "–";
  }

  private static String name(String point) {
    return point.equals(MeasuringPoint.SERVER) ? "API server" : point;
  }

  private static String statusName(String status) {
    return status.equals(ExporterAccount.NO_ANSWER) ? "no answer" : "status " + status;
  }

  private static Block.Item order(PointOrder order) {
    String head = order.quantity() + " mean, ";
    String chain =
        head + String.join(" ≥ ", order.points().stream().map(PointsSection::name).toList());
    Mark mark =
        switch (order.verdict()) {
          case HOLDS -> new Mark(Tone.GOOD, "in order:");
          case BROKEN -> new Mark(Tone.BAD, "OUT OF ORDER:");
          case NOT_COMPARED -> new Mark(Tone.MUTED, "not compared: not the same requests");
        };
    return new Block.Item(mark, chain, order.detail(), List.of());
  }
}
