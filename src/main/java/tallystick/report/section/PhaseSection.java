package tallystick.report.section;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.result.Distribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.answer.Block;
import tallystick.answer.Cell;
import tallystick.answer.Column;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.answer.words.LatencyUnit;
import tallystick.answer.words.Numbers;
import tallystick.answer.words.Wording;

/** The phases: their figures, and what is to be said of each beside them. */
public final class PhaseSection {
  /** Of an only phase the run's own, as measured, stands above. */
  private static final String GOOD_RATE = "good/s";

  private static final String OFFERED = "offered/s";

  private static final List<Column> COLUMNS =
      List.of(
          Column.name("phase"), Column.number("from, s").spare(2),
          Column.number("to, s").spare(2), Column.number(OFFERED),
          Column.number("requests"), Column.number("ok"), Column.number("good"),
          Column.number(GOOD_RATE), Column.number("TTFT P50").spare(1),
          Column.number("TTFT P95"), Column.number("largest gap P95"),
          Column.number("E2E P95").spare(1));

  private PhaseSection() {}

  /**
   * The phases.
   *
   * @param unit of their rates
   */
  public static Section of(List<PhaseAnalysis> phases, String unit, boolean isRough) {
    return Section.of(
        "phases", "Phases", phases.isEmpty() ? List.of() : blocks(phases, unit, isRough));
  }

  /** The head of a column of offered rates: those of sessions stand beside good requests. */
  public static String offered(String unit) {
    return unit.equals("sessions/s") ? unit : OFFERED;
  }

  private static List<Block> blocks(List<PhaseAnalysis> phases, String unit, boolean isRough) {
    List<String> notes = phases.stream().map(phase -> phase.phase() + ": " + notes(phase)).toList();
    boolean isOnly = phases.size() == 1;
    List<Column> columns = new ArrayList<>(COLUMNS);
    columns.removeIf(column -> isOnly && column.head().equals(GOOD_RATE));
    columns.replaceAll(
        column -> column.head().equals(OFFERED) ? Column.number(offered(unit)) : column);
    List<Block.Row> rows = phases.stream().map(phase -> row(phase, isRough, isOnly)).toList();
    return List.of(new Block.Table("Phases", false, columns, rows), Block.Items.of(notes));
  }

  private static Block.Row row(PhaseAnalysis phase, boolean isRough, boolean isOnly) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.of(phase.phase()));
    cells.add(Cell.of(Numbers.number(phase.startSeconds())));
    cells.add(Cell.of(Numbers.number(phase.endSeconds())));
    cells.add(Cell.number(phase.offeredPerSecond()));
    cells.add(Cell.of(Numbers.count(phase.requests())));
    cells.add(Cell.of(Numbers.count(phase.ok())));
    cells.add(Cell.percent(phase.goodput().share()).roughIf(isRough));
    if (!isOnly) {
      cells.add(Cell.number(phase.goodput().requestsPerSecond()).roughIf(isRough));
    }
    cells.add(latency(phase.ttft(), 0.5).roughIf(isRough));
    cells.add(latency(phase.ttft(), 0.95).roughIf(isRough));
    cells.add(latency(phase.largestGaps(), 0.95).roughIf(isRough));
    cells.add(latency(phase.e2e(), 0.95).roughIf(isRough));
    return new Block.Row(Tone.PLAIN, cells);
  }

  private static Cell latency(Distribution samples, double level) {
    return Cell.latency(samples.percentile(level));
  }

  // Steady state, growth, places where the level changed, objectives.
  private static String notes(PhaseAnalysis phase) {
    List<String> notes = new ArrayList<>();
    notes.add(phase.steady().text());
    notes.add(steadyMean(phase.steady()));
    notes.add(phase.overload().text());
    notes.add(slope(phase.overload()));
    phase.changes().forEach(change -> notes.add(change(change, phase.steady())));
    phase.objectives().forEach(result -> notes.add(objective(result)));
    return String.join(" ", notes.stream().filter(note -> !note.isBlank()).toList());
  }

  /** {@code Its mean TTFT is then 71.0 ms (95 % CI 69.2 to 72.8 ms).} */
  private static String steadyMean(PhaseAnalysis.SteadyState steady) {
    if (!(steady.mean().value() instanceof Figure.Known mean)) {
      return "";
    }
    String interval =
        steady.mean().low() instanceof Figure.Known low
                && steady.mean().high() instanceof Figure.Known high
            ? " (95 % CI " + latency(low.value()) + " to " + latency(high.value()) + ")"
            : "";
    return "Its mean TTFT is then " + latency(mean.value()) + interval + ".";
  }

  /** {@code Requests in flight grew by 0.0210 per second (one-sided p 0.31).} */
  private static String slope(PhaseAnalysis.Overload overload) {
    return overload.slopePerSecond() instanceof Figure.Known slope
        ? "Requests in flight " + (slope.value() < 0 ? "fell by " : "grew by ")
            + Numbers.number(Math.abs(slope.value()))
            + " per second (one-sided p "
            + Numbers.probability(overload.pValue())
            + ")."
        : "";
  }

  /** {@code TTFT changed from 71.0 ms to 930 ms at 24.5 s (p 0.005).} */
  private static String change(PhaseAnalysis.ChangePoint change, PhaseAnalysis.SteadyState steady) {
    boolean isFilling =
        steady.cutSeconds() instanceof Figure.Known cut && change.atSeconds() < cut.value();
    return (isFilling ? "While the engine filled, TTFT changed from " : "TTFT changed from ")
        + latency(change.before())
        + " to "
        + latency(change.after())
        + " at "
        + Numbers.number(change.atSeconds())
        + " s (p "
        + Numbers.probability(change.pValue())
        + ").";
  }

  private static String objective(ObjectiveResult result) {
    return Wording.objective(result.objective()) + ": " + result.verdict().words() + ".";
  }

  private static String latency(double seconds) {
    return LatencyUnit.fitting(seconds).text(seconds);
  }
}
