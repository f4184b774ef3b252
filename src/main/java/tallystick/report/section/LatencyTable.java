package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.EngineDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Latency;
import tallystick.analysis.result.RunAnalysis;
import tallystick.answer.Cell;
import tallystick.answer.Tone;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.scenario.Objective;

/** The two-sided table: the client's exact figures beside the engine's means and brackets. */
public final class LatencyTable {
  private static final List<Double> LEVELS = List.of(0.5, 0.9, 0.95, 0.99, 0.999);

  private static final String CLIENT = "client";
  private static final String INTENDED = "client, intended";
  private static final String WRITTEN = "client, written";
  private static final String FROM_INTENDED = "from intended start";
  private static final String FROM_WRITTEN = "from request written";

  private final Map<Latency, EngineDistribution> engine;
  private final List<LatencyRow> like;
  private final List<LatencyRow> rows = new ArrayList<>();

  private LatencyTable(RunAnalysis analysis, List<LatencyRow> like) {
    this.engine = analysis.engine().distributions();
    this.like = like;
  }

  /** The lines in the order of a reader's interest: first token, smoothness, whole answer. */
  public static List<LatencyRow> of(RunAnalysis analysis) {
    return of(analysis, List.of());
  }

  /** The same in the units of another run's lines, so that both can stand in one table. */
  public static List<LatencyRow> of(RunAnalysis analysis, List<LatencyRow> like) {
    LatencyTable table = new LatencyTable(analysis, like);
    RunAnalysis.ClientLatencies client = analysis.client();
    table.group(
        "TTFT",
        Optional.of(Latency.TTFT),
        new Line(client.ttftFromIntended(), INTENDED, FROM_INTENDED),
        new Line(client.ttftFromWritten(), WRITTEN, FROM_WRITTEN));
    Set<Objective.Metric> asked =
        analysis.objectives().stream()
            .flatMap(one -> one.objective().parts().stream())
            .map(Objective::metric)
            .collect(Collectors.toSet());
    if (client.thinking().isThere() || asked.contains(Objective.Metric.ANSWER_TTFT)) {
      table.group(
          "Answer TTFT", Optional.empty(),
          new Line(client.thinking().answerTtft(), INTENDED, "to the first token after thinking"));
    }
    table.group(
        "Largest gap", Optional.empty(), new Line(client.largestGaps(), CLIENT, "of each request"));
    table.group(
        "ITL", Optional.of(Latency.ITL), new Line(client.chunkGaps(), CLIENT, "between chunks"));
    table.group("TPOT", Optional.of(Latency.TPOT), new Line(client.tpot(), CLIENT, "per request"));
    table.group(
        "E2E",
        Optional.of(Latency.E2E),
        new Line(client.e2eFromIntended(), INTENDED, FROM_INTENDED),
        new Line(client.e2eFromWritten(), WRITTEN, FROM_WRITTEN));
    if (asked.contains(Objective.Metric.SESSION_TIME)) {
      table.group(
          "Session time", Optional.empty(),
          new Line(analysis.sessions().seconds(), CLIENT, "first start to last answer"));
    }
    if (asked.contains(Objective.Metric.SESSION_TIME_WITHOUT_TOOLS)) {
      table.group(
          "Session without tools", Optional.empty(),
          new Line(analysis.sessions().withoutToolSeconds(), CLIENT, "less the time of tools"));
    }
    table.group("Queue", Optional.of(Latency.QUEUE));
    table.group("Prefill", Optional.of(Latency.PREFILL));
    table.group("Decode", Optional.of(Latency.DECODE));
    return List.copyOf(table.rows);
  }

  private record Line(Distribution samples, String name, String basis) {}

  private void group(String quantity, Optional<Latency> histogram, Line... lines) {
    EngineDistribution ours = histogram.map(engine::get).orElse(null);
    LatencyUnit unit =
        like.stream()
            .filter(row -> row.quantity().equals(quantity))
            .map(LatencyRow::unit)
            .findFirst()
            .orElseGet(() -> unit(lines, ours));
    for (Line line : lines) {
      rows.add(clientRow(quantity, line, unit));
    }
    if (ours != null) {
      rows.add(engineRow(quantity, ours, unit));
    }
  }

  private static LatencyUnit unit(Line[] lines, EngineDistribution engine) {
    List<Figure> typical = new ArrayList<>();
    for (Line line : lines) {
      typical.add(percentile(line.samples(), 0.95).value());
      typical.add(line.samples().mean());
    }
    if (engine != null) {
      typical.add(bracket(engine, 0.95).low());
      typical.add(engine.mean());
    }
    return LatencyUnit.fittingFirstKnown(typical.toArray(Figure[]::new));
  }

  private static LatencyRow clientRow(String quantity, Line line, LatencyUnit unit) {
    Distribution samples = line.samples();
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(samples.mean(), unit::number));
    for (double level : LEVELS) {
      cells.add(clientCell(percentile(samples, level), unit));
    }
    cells.add(Cell.of(samples.maximum(), unit::number));
    return new LatencyRow(
        quantity, Tone.CLIENT, line.name(), line.basis(), unit,
        Numbers.count(samples.count()), cells);
  }

  private static Cell clientCell(Distribution.Percentile percentile, LatencyUnit unit) {
    Cell plain = Cell.of(percentile.value(), unit::number);
    if (plain.isMissing()) {
      return plain;
    }
    String noisy = percentile.noisy() ? "noisy, " : "";
    String interval =
        percentile.low() instanceof Figure.Known low
                && percentile.high() instanceof Figure.Known high
            ? unit.number(low.value()) + " to " + unit.number(high.value())
            : "no interval";
    return plain.noted(noisy + interval);
  }

  private static LatencyRow engineRow(
      String quantity, EngineDistribution distribution, LatencyUnit unit) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(distribution.mean(), unit::number));
    for (double level : LEVELS) {
      cells.add(bracketCell(bracket(distribution, level), unit));
    }
    cells.add(Cell.NONE);
    String count = Numbers.count(distribution.count());
    return new LatencyRow(
        quantity, Tone.ENGINE, "engine", distribution.metric(), unit, count, cells);
  }

  private static Cell bracketCell(EngineDistribution.Bracket bracket, LatencyUnit unit) {
    return bracket.low() instanceof Figure.Known low
        ? Cell.of(bracket.high(), high -> unit.bracket(low.value(), high))
        : Cell.of(bracket.low(), unit::number);
  }

  private static Distribution.Percentile percentile(Distribution samples, double level) {
    return samples.percentiles().stream()
        .filter(percentile -> percentile.level() == level)
        .findFirst()
        .orElseGet(() -> absent(level));
  }

  private static Distribution.Percentile absent(double level) {
    Figure none = Figure.missing("not computed");
    return new Distribution.Percentile(level, none, none, none, false, none);
  }

  private static EngineDistribution.Bracket bracket(EngineDistribution from, double level) {
    Figure none = Figure.missing("not computed");
    return from.brackets().stream()
        .filter(bracket -> bracket.level() == level)
        .findFirst()
        .orElseGet(() -> new EngineDistribution.Bracket(level, none, none));
  }
}
