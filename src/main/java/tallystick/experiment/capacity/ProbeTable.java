package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import tallystick.analysis.result.Figure;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.words.Numbers;
import tallystick.experiment.RateFormat;
import tallystick.scenario.Formatted;

/**
 * The probes of a search in a table, all at one rate in one row.
 *
 * @param unit what a rate counts
 * @param share of the requests that must be good
 * @param forecast what a profile predicted for the same probes
 */
record ProbeTable(
    String unit, List<ProbeResult> probes, double share, Optional<PredictedSearch> forecast) {

  private static final String NONE = "n/a";
  private static final Figure UNTOLD = Figure.missing("answers were too few, or not streamed");

  /** So many of them a screen has room for. */
  private static final int NEAREST = 5;

  /** Probes at one rate and of one length together. */
  private record Row(List<ProbeResult> runs) {
    private double perSecond() {
      return runs.getFirst().probe().perSecond();
    }

    private long judged() {
      return runs.stream().mapToLong(ProbeResult::judged).sum();
    }

    private long good() {
      return runs.stream().mapToLong(ProbeResult::good).sum();
    }

    private double goodShare() {
      return judged() == 0 ? 0 : (double) good() / judged();
    }

    /** The largest of a figure; below 0 where no probe tells it. */
    private double most(ToDoubleFunction<ProbeResult> figure) {
      return runs.stream().mapToDouble(figure).max().orElse(-1);
    }

    /** A percentile; of several runs the largest, beside a good share of all of them. */
    private String slowest(ToDoubleFunction<ProbeResult> percentile) {
      String value = seconds(most(percentile));
      return runs.size() == 1 || most(percentile) < 0 ? value : "≤" + value;
    }

    private String length() {
      DoubleSummaryStatistics each =
          runs.stream().mapToDouble(ProbeResult::measuredSeconds).summaryStatistics();
      String seconds =
          Numbers.span(
              Formatted.of("%.0f s", each.getMin()), Formatted.of("%.0f s", each.getMax()));
      return runs.size() == 1 ? seconds : runs.size() + " x " + seconds;
    }
  }

  /** The rates nearest to what is answered. None where no probe counts. */
  Optional<Block> about(CapacityAnswer answer) {
    List<Row> rows = rows();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    double low = answer.interval().low();
    double centre =
        answer
            .likelyPerSecond()
            .orElse(low > 0 ? low : rows.getFirst().perSecond());
    List<Row> nearest = new ArrayList<>(rows);
    nearest.sort(
        Comparator.comparingDouble(row -> Math.abs(Math.log(row.perSecond() / centre))));
    List<Column> columns =
        List.of(
            Column.number(unit.startsWith("requests") ? "requests/s" : "started/s"),
            Column.number("for"), Column.number("good"), Column.number("TTFT P95"),
            Column.number("TPOT P95"),
            Column.number(forecast.isPresent() ? "predicted" : "peak queue"),
            Column.words("held?"));
    return Optional.of(
        new Block.Table(
            "Probes", false, columns,
            rows.stream()
                .map(row -> cells(row).spare(Math.max(0, nearest.indexOf(row) - NEAREST + 1)))
                .toList(),
            Block.Rest.of("and %d rates farther from the limit, in capacity.html")));
  }

  private Block.Row cells(Row row) {
    String besides =
        forecast
            .map(one -> one.cell(row.perSecond()))
            .orElse(count(row.most(one -> one.load().waitingMost())));
    return Block.Row.of(
        Cell.of(RateFormat.text(row.perSecond())), Cell.of(row.length()), Cell.of(good(row)),
        told(row.slowest(one -> one.figures().ttft().p95Seconds())),
        told(row.slowest(one -> one.figures().tpot().p95Seconds())), Cell.of(besides),
        Cell.of(word(row, ProbeFigures.Kept::limit)));
  }

  private static Cell told(String latency) {
    return latency.equals(NONE) ? Cell.of(UNTOLD, Numbers::number) : Cell.of(latency);
  }

  /** Every figure of every probe that counts, for a page; none where none counts. */
  Optional<Block> whole() {
    List<Column> columns = new ArrayList<>();
    for (String head :
        List.of(
            unit, "for", "good", "TTFT P50", "P95", "P99", "TPOT P50", "P95", "P99", "tokens/s",
            "mean running", "mean waiting")) {
      columns.add(Column.number(head));
    }
    columns.add(Column.words("held?"));
    List<Block.Row> rows =
        probes.stream()
            .filter(ProbeResult::isTrusted)
            .sorted(Comparator.comparingDouble(one -> one.probe().perSecond()))
            .map(this::allCells)
            .toList();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(new Block.Table("Every probe", false, columns, rows));
  }

  private Block.Row allCells(ProbeResult one) {
    Row row = new Row(List.of(one));
    ProbeFigures.Percentiles ttft = one.figures().ttft();
    ProbeFigures.Percentiles tpot = one.figures().tpot();
    return Block.Row.words(
        RateFormat.text(row.perSecond()), row.length(), good(row), seconds(ttft.p50Seconds()),
        seconds(ttft.p95Seconds()), seconds(ttft.p99Seconds()), seconds(tpot.p50Seconds()),
        seconds(tpot.p95Seconds()), seconds(tpot.p99Seconds()),
        count(one.figures().tokensPerSecond()), count(one.figures().running()),
        count(one.figures().waiting()), word(row, ProbeFigures.Kept::words));
  }

  private static String good(Row row) {
    return Formatted.of("%.2f %%", 100 * row.goodShare());
  }

  private static String seconds(double value) {
    return value < 0 ? NONE : Numbers.latency(Figure.of(value));
  }

  private static String count(double value) {
    return value < 0 ? NONE : Numbers.count(Math.round(value));
  }

  // A queue may grow to the end of a run that keeps its objective all the same.
  private String word(Row row, Function<ProbeFigures.Kept, String> broken) {
    boolean isGrown = row.runs().stream().anyMatch(one -> one.load().overloaded());
    if (row.goodShare() >= share) {
      long each = row.runs().stream().filter(one -> one.holds(share)).count();
      String held =
          each < row.runs().size()
              ? each + " of " + row.runs().size() + " held"
              : isBrief(row) ? (isGrown ? "" : "yes, for ") + row.length() : "yes";
      return isGrown ? held + ", queue grew" : held;
    }
    return row.runs().stream()
        .flatMap(one -> one.figures().brokenFirst(share).stream())
        .min(Comparator.comparingDouble(ProbeFigures.Kept::share))
        .map(one -> "no: " + broken.apply(one))
        .orElse(isGrown ? "no: overloaded" : "no");
  }

  /** Beside runs of twice its length a row does not say that a rate lasts. */
  private boolean isBrief(Row row) {
    double twice = 2 * row.runs().getFirst().measuredSeconds();
    return probes.stream()
        .filter(ProbeResult::isTrusted)
        .anyMatch(one -> one.measuredSeconds() >= twice);
  }

  private List<Row> rows() {
    TreeMap<Double, TreeMap<Double, List<ProbeResult>>> rows = new TreeMap<>();
    for (ProbeResult one : probes) {
      if (one.isTrusted()) {
        rows.computeIfAbsent(one.probe().perSecond(), rate -> new TreeMap<>())
            .computeIfAbsent(one.probe().measuredSeconds(), length -> new ArrayList<>())
            .add(one);
      }
    }
    return rows.values().stream()
        .flatMap(lengths -> lengths.values().stream())
        .map(Row::new)
        .toList();
  }
}
