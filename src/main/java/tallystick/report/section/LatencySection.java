package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tallystick.analysis.result.Comparison;
import tallystick.analysis.result.GapAnalysis;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.Usability;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.ComparisonText;
import tallystick.answer.Fact;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.IntervalText;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.report.markup.Drawn;
import tallystick.report.picture.BracketChart;
import tallystick.report.picture.CdfChart;

/** The two sides' latencies: each compared quantity, and every figure as a table. */
public final class LatencySection {
  private static final String LEAD =
      "Here a wait begins when the request was written, as the engine sees it; on the first screen"
          + " it begins when the request should have been sent. Client figures are exact. Engine"
          + " figures are exact means, and for each percentile the bucket (low, high] it lies in: a"
          + " histogram cannot say more. Small figures on the page are 95 % confidence intervals;"
          + " they allow for requests that are slow together. There is none if latency drifted"
          + " during the whole run. Noisy: the tail could be off by more than 50 %.";

  private LatencySection() {}

  public static Section of(RunAnalysis analysis) {
    List<Block.Group> compared =
        analysis.comparisons().stream().map(one -> group(analysis, one)).toList();
    return Section.of(
        "latencies", "Two sides", new Block.Text(Tone.MUTED, LEAD), new Block.Groups(compared));
  }

  /** Every figure of both sides. */
  public static Section all(RunAnalysis analysis) {
    boolean isRough = Usability.of(analysis).isRough();
    return Section.of("figures", "All latencies", table(LatencyTable.of(analysis), isRough));
  }

  private static Block.Table table(List<LatencyRow> rows, boolean isRough) {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.name("quantity"));
    columns.add(Column.name("side"));
    columns.add(Column.words("unit"));
    columns.add(Column.number("n"));
    columns.addAll(LatencyRow.columns());
    return new Block.Table(
        "All latencies", true, columns,
        rows.stream().map(row -> row(row, isRough && row.side() == Tone.CLIENT)).toList());
  }

  private static Block.Row row(LatencyRow row, boolean isRough) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(row.quantity()));
    cells.add(row.who());
    cells.add(Cell.of(row.unit().symbol()));
    cells.add(Cell.of(row.count()));
    row.cells().forEach(cell -> cells.add(cell.roughIf(isRough)));
    return new Block.Row(row.side(), cells);
  }

  private static Block.Group group(RunAnalysis analysis, Comparison comparison) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(Drawn.picture(html -> BracketChart.write(html, comparison)));
    CdfChart.of(analysis, comparison).ifPresent(blocks::add);
    blocks.add(new Block.Text(Tone.MUTED, ComparisonText.sentence(comparison)));
    if (ComparisonText.isChecked(comparison)) {
      edges(comparison).forEach(blocks::add);
    }
    return new Block.Group(
        ComparisonText.name(comparison), ComparisonText.mark(comparison), blocks);
  }

  // The client's samples in the engine's own buckets: like beside like.
  private static List<Block> edges(Comparison comparison) {
    GapAnalysis gap = comparison.gap();
    if (!gap.available() || gap.edges().isEmpty()) {
      return List.of();
    }
    List<Column> columns =
        List.of(
            Column.number("at or below"), Column.number("engine"), Column.number("client"),
            Column.number("pushed over"), Column.number("gap at least"),
            Column.number("at most"));
    List<Block.Row> rows = gap.edges().stream().map(LatencySection::edge).toList();
    return List.of(new Block.PageOnly(
        "Bucket by bucket, on the engine's own edges",
        List.of(
            new Block.Facts(facts(gap)),
            new Block.Table(
                "Bucket by bucket: " + ComparisonText.name(comparison), false, columns, rows))));
  }

  private static List<Fact> facts(GapAnalysis gap) {
    String violated =
        gap.orderViolations().stream()
            .map(edge -> LatencyUnit.SECONDS.edge(edge) + " s")
            .collect(Collectors.joining(", "));
    return List.of(
        new Fact("gap of the means", IntervalText.latency(gap.meanGap())),
        new Fact("constant overhead", IntervalText.latency(gap.constantGap())),
        new Fact("overhead covering every edge", Numbers.latency(gap.boundSeconds())),
        new Fact("edges out of order", violated.isEmpty() ? "none" : violated));
  }

  private static Block.Row edge(GapAnalysis.Edge edge) {
    LatencyUnit unit = LatencyUnit.fitting(edge.edge());
    boolean isLast = Double.isInfinite(edge.edge());
    return Block.Row.of(
        Cell.of(isLast ? "+Inf" : unit.edge(edge.edge()) + " " + unit.symbol()),
        Cell.of(Numbers.count(edge.engineCount())),
        Cell.of(Numbers.count(edge.clientCount())),
        Cell.of(Numbers.count(edge.crossers())),
        Cell.latency(edge.gapLow()),
        Cell.latency(edge.gapHigh()));
  }
}
