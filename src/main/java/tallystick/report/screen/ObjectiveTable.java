package tallystick.report.screen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Tone;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;
import tallystick.report.section.LatencyRow;
import tallystick.report.section.LatencyTable;
import tallystick.report.section.ObjectiveSection;
import tallystick.scenario.Objective;

/** A run's objectives beside the figures of both sides, or the usual figures where it has none. */
public record ObjectiveTable(RunAnalysis analysis) {
  private static final int LEAST = 3; // rows that always stay

  /** More rows than these seldom fit a screen. */
  private static final int MOST = 8;

  private static final String LATE = "with the client's own delay";

  private static final List<String> USUAL = List.of("TTFT", "ITL", "Largest gap", "E2E");

  private static final List<Shown> SHOWN =
      List.of(
          new Shown(Tone.CLIENT, "mean", Column.WIDE + 1), new Shown(Tone.CLIENT, "P50", 1),
          new Shown(Tone.CLIENT, "P95", 0), new Shown(Tone.CLIENT, "max", Column.WIDE + 2),
          new Shown(Tone.ENGINE, "mean", Column.WIDE), new Shown(Tone.ENGINE, "P95", 0));

  /** A figure of one side; a narrow terminal leaves out those that can be spared. */
  private record Shown(Tone side, String figure, int spare) {
    Column column() {
      String whose = side == Tone.CLIENT ? "" : "engine ";
      return Column.number(whose + figure).spare(spare);
    }
  }

  Block.Table table() {
    List<LatencyRow> rows = LatencyTable.of(analysis);
    List<ObjectiveResult> urgent = urgent();
    List<Block.Row> shown = new ArrayList<>();
    if (urgent.isEmpty()) {
      USUAL.forEach(quantity -> shown.add(row(rows, quantity, List.of())));
    }
    List<ObjectiveResult> inOrder = inOrder(urgent);
    for (int i = 0; i < inOrder.size(); i++) {
      int place = inOrder == urgent ? i : urgent.indexOf(inOrder.get(i));
      shown.add(row(rows, inOrder.get(i)).spare(place < LEAST ? 0 : place + 1));
    }
    List<Column> columns = new ArrayList<>(List.of(Column.name(isLate() ? "client late" : "")));
    shown().stream().map(Shown::column).forEach(columns::add);
    if (!urgent.isEmpty()) {
      columns.add(Column.number("limit"));
      columns.add(Column.number("good").spare(2));
      columns.add(Column.number("kept"));
      columns.add(Column.words("verdict"));
    }
    return new Block.Table(
        "Objectives", false, columns, shown, new Block.Rest(left -> rest(urgent, left)));
  }

  /** The usual figures of a run whose client was late: marked, and nothing is judged by them. */
  Block.Table spoiled() {
    List<LatencyRow> rows = LatencyTable.of(analysis);
    List<Column> columns =
        List.of(
            Column.name(LATE), Column.number("P50"),
            Column.number("P95"), Column.number("engine P95"));
    List<Block.Row> marked =
        USUAL.stream()
            .map(
                quantity ->
                    new Block.Row(
                        Tone.MUTED,
                        List.of(
                            Cell.of(quantity), late(rows, quantity, "P50"),
                            late(rows, quantity, "P95"),
                            cell(rows, quantity, Tone.ENGINE, "P95"))))
            .toList();
    return new Block.Table("Not to be judged by", false, columns, marked);
  }

  private boolean isLate() {
    return Usability.of(analysis).isRough();
  }

  private static Cell late(List<LatencyRow> rows, String quantity, String column) {
    return cell(rows, quantity, Tone.CLIENT, column).rough();
  }

  /** The objectives that had no room, counted. */
  private static String rest(List<ObjectiveResult> urgent, int left) {
    Map<String, Long> counts =
        urgent.stream()
            .skip(urgent.size() - left)
            .collect(Collectors.groupingBy(
                one -> one.judgement().words(), LinkedHashMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(one -> one.getValue() + " " + one.getKey())
        .collect(Collectors.joining(", ", "more objectives: ", ""));
  }

  /** What is missed first, then what is too close. */
  private List<ObjectiveResult> urgent() {
    return analysis.objectives().stream()
        .sorted(
            Comparator.comparing((ObjectiveResult one) -> !one.judgement().isMissed())
                .thenComparing(one -> !one.judgement().isTooClose()))
        .toList();
  }

  /** As the scenario has them; of so many that some have no room, what is broken first. */
  private List<ObjectiveResult> inOrder(List<ObjectiveResult> urgent) {
    return urgent.size() <= MOST ? analysis.objectives() : urgent;
  }

  // No figure is kept by class: a table of nothing else would only cut the names.
  private List<Shown> shown() {
    boolean isByClass =
        !analysis.objectives().isEmpty()
            && analysis.objectives().stream()
                .noneMatch(one -> one.objective().requestClass().isEmpty());
    return SHOWN.stream().filter(one -> !isByClass).toList();
  }

  private Block.Row row(List<LatencyRow> rows, ObjectiveResult result) {
    Objective objective = result.objective();
    List<Cell> judged =
        List.of(
            Cell.of(Wording.threshold(objective)), Cell.of(counted(result)),
            Cell.of(Numbers.percent(result.share())),
            Cell.of(ObjectiveSection.mark(result.judgement())));
    String metric = Wording.metrics(objective);
    // The figures are those of all classes; beside one class they would mislead.
    return objective.requestClass().isEmpty()
        ? row(rows, metric, judged)
        : row(List.of(), metric + " of " + objective.requestClass(), judged);
  }

  private static String counted(ObjectiveResult result) {
    return Numbers.count(result.good()) + " of " + Numbers.count(result.judged());
  }

  private Block.Row row(List<LatencyRow> rows, String quantity, List<Cell> judged) {
    List<Cell> cells = new ArrayList<>(List.of(Cell.of(quantity)));
    for (Shown one : shown()) {
      cells.add(
          isLate() && one.side() == Tone.CLIENT
              ? late(rows, quantity, one.figure())
              : cell(rows, quantity, one.side(), one.figure()));
    }
    cells.addAll(judged);
    return new Block.Row(Tone.PLAIN, cells);
  }

  /** One figure of one side; says why where there is none. */
  public static Cell cell(List<LatencyRow> rows, String quantity, Tone side, String column) {
    return rows.stream()
        .filter(row -> row.quantity().equals(quantity) && row.side() == side)
        .findFirst()
        .map(
            row ->
                row.cell(column).isMissing()
                    ? row.cell(column)
                    : Cell.of(row.cell(column).text() + " " + row.unit().symbol()))
        .orElse(Cell.of("–"));
  }
}
