package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import tallystick.experiment.JointObjective;
import tallystick.experiment.ScreenLines;
import tallystick.experiment.regress.Regression.Judged;
import tallystick.experiment.regress.Regression.Verdict;
import tallystick.scenario.Counted;

/** The first screen of a tuning: decision, trust, where, cells, next. */
final class TuneScreen {
  private static final int LINES = 24;
  private static final int MOST_ROWS = 9;
  /** What cells run with instead of what was asked. */
  private static final int MOST_OTHERS = 2;

  private static final String KIND = "engine kind";

  private final TuneEnd end;
  private final Screening screening;
  private final Grid grid;
  private final Evidence evidence;

  TuneScreen(TuneEnd end) {
    this.end = end;
    this.screening = end.screening();
    this.grid = end.grid();
    this.evidence = screening.seen();
  }

  String text() {
    for (int rows = MOST_ROWS; rows > 0; rows--) {
      ScreenLines lines = lines(rows);
      if (lines.count() <= LINES) {
        return lines.text();
      }
    }
    return lines(0).text();
  }

  private ScreenLines lines(int rows) {
    ScreenLines lines = new ScreenLines();
    lines.add(
        "tune   ",
        grid.words() + " on " + end.engine() + "   " + grid.cells().size() + " cells, "
            + end.time());
    lines.add(end.answer() instanceof TuneAnswer.Untrusted ? "INVALID" : "VERDICT", verdict());
    front().forEach(words -> lines.add("", words));
    lines.add("WHERE", where());
    lines.add("TRUST", trust());
    ForecastWords.of(screening).words().ifPresent(words -> lines.add("", words));
    table(rows, lines);
    new TuneNext(end).lines().forEach(words -> lines.add(words.head(), words.text()));
    return lines;
  }

  private String verdict() {
    String now = grid.current().words();
    return switch (end.answer()) {
      case TuneAnswer.Recommended earned ->
          earned.confirmation().cell().words() + ": goodput " + gain(earned.confirmation().gain())
              + " over " + now
              + (earned.confirmation().baseFails()
                  ? ", which breaks the objectives," : ",")
              + " confirmed by " + earned.confirmation().pairs()
              + " fresh pairs" + guarded(earned.confirmation());
      case TuneAnswer.NotConfirmed open ->
          "not proven: " + open.confirmation().cell().words() + " looked best, but "
              + String.join("; ", open.confirmation().objections()) + " (goodput "
              + gain(open.confirmation().gain()) + " over " + now + " in "
              + open.confirmation().pairs() + " fresh pairs)" + morePairs(open.confirmation());
      case TuneAnswer.KeepCurrent keep ->
          "keep " + now + ": no " + (isAllMeasured() ? "" : "measured ")
              + "cell that holds the objectives gains "
              + JointObjective.percent(Response.WORTH) + " goodput under this load";
      case TuneAnswer.TradeOff open ->
          "no winner: " + open.cell().words() + " has goodput " + gain(open.gain()) + " over "
              + now + ", but costs " + String.join(", ", open.prices());
      case TuneAnswer.Died dead ->
          "not recommended: " + dead.cell().words()
              + " looked best, but its engine did not live through the fresh pairs: " + dead.why();
      case TuneAnswer.CannotTell open ->
          "not proven: " + open.why()
              + (open.blocksNeeded() == 0 ? "" : "; " + blocks(open.blocksNeeded()));
      case TuneAnswer.NoneHolds none ->
          "no cell holds " + end.objective().words() + " under this load";
      case TuneAnswer.Untrusted doubt -> "too many runs cannot be used: " + doubt.why();
    };
  }

  private boolean isAllMeasured() {
    return grid.cells().stream()
        .noneMatch(
            cell -> screening.standing(cell.number()).kind() == Standing.Kind.LEFT_OUT);
  }

  private static String blocks(int more) {
    if (more >= Choice.MOST_BLOCKS) {
      return "more blocks than are worth it are needed";
    }
    return "about " + Counted.of(more, "more block is needed", "more blocks are needed");
  }

  private static String morePairs(Confirmation open) {
    return open.pairsNeeded() == 0
        ? ""
        : "; about " + open.pairsNeeded() + " pairs in all are needed";
  }

  private static String gain(Few.Gain gain) {
    return TuneWords.signed(gain.value()) + " (95 % CI " + TuneWords.signed(gain.low()) + " to "
        + TuneWords.signed(gain.high()) + ")";
  }

  /** What it was not allowed to cost, and whether it is proven that it does not. */
  private static String guarded(Confirmation earned) {
    List<String> words = new ArrayList<>();
    for (Judged one : earned.guarded()) {
      words.add(
          one.metric().words()
              + (one.verdict() == Verdict.PASSED
                  ? " not worse"
                  : Confirmation.isLikelyWorse(one)
                      ? " " + TuneWords.signed(one.effect().value())
                      : " cannot tell"));
    }
    return words.isEmpty() ? "" : "; " + String.join(", ", words);
  }

  private List<String> front() {
    List<String> lines = new ArrayList<>();
    for (Standing.Kind kind : List.of(Standing.Kind.ON_FRONT, Standing.Kind.OPEN)) {
      List<String> cells =
          grid.cells().stream()
              .filter(cell -> screening.standing(cell.number()).kind() == kind)
              .map(Cell::words)
              .toList();
      if (!cells.isEmpty()) {
        String open =
            screening.blocks().size() < 2
                ? "on the front: n/a (blocks: " + screening.blocks().size() + ", need 2)"
                : "may be on the front: " + String.join(", ", cells);
        lines.add(
            kind == Standing.Kind.ON_FRONT
                ? "on the front: " + String.join(", ", cells)
                : open);
      }
    }
    String untold = untold();
    if (!lines.isEmpty() && !untold.isEmpty()) {
      lines.add("not compared, because not all cells tell it: " + untold);
    }
    return lines;
  }

  /** What the front was drawn without. */
  private String untold() {
    List<Integer> cells = screening.left();
    List<Response> told = evidence.told(cells, evidence.together(cells));
    return Stream.of(Response.values())
        .filter(response -> !told.contains(response))
        .map(Response::words)
        .collect(Collectors.joining(", "));
  }

  /** What each flag does from its first value to its last, all else equal. */
  private String where() {
    List<String> words = new ArrayList<>();
    for (Grid.Factor factor : grid.factors()) {
      List<String> values = factor.values();
      if (values.size() > 1) {
        words.add(
            factor.flag() + " " + values.getFirst() + " -> " + values.getLast() + ": goodput "
                + change(factor, Response.GOODPUT) + ", ITL P99 "
                + change(factor, Response.ITL_P99));
      }
    }
    Interaction.of(grid, evidence).stream()
        .filter(Interaction::isSeen)
        .findFirst()
        .ifPresent(
            one -> words.add("in " + one.response().words() + " one flag changes the other's"));
    return String.join("; ", words)
        + (isHint() ? " (a hint: no block counts)" : " (runs of shared blocks)");
  }

  private String change(Grid.Factor factor, Response response) {
    double saved = saved(factor, response);
    double change = Math.expm1(response == Response.GOODPUT ? saved : -saved);
    return Double.isFinite(change) ? TuneWords.signed(change) : "n/a";
  }

  /** Only cells that differ in this flag alone, and blocks that both were measured in. */
  private double saved(Grid.Factor factor, Response response) {
    String flag = factor.flag();
    return grid.cells().stream()
        .filter(cell -> cell.settings().get(flag).equals(factor.values().getFirst()))
        .flatMapToDouble(
            first ->
                grid.cells().stream()
                    .filter(cell -> isLike(first, cell, flag, factor.values().getLast()))
                    .flatMapToDouble(
                        last ->
                            DoubleStream.of(
                                evidence.saved(last.number(), first.number(), response))))
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  private static boolean isLike(Cell one, Cell other, String flag, String value) {
    Map<String, String> wanted = new HashMap<>(one.settings());
    wanted.put(flag, value);
    return other.settings().equals(wanted);
  }

  private String trust() {
    long left = end.runs().stream().filter(run -> !run.counts() && !run.failed()).count();
    List<Integer> blocks = isHint() ? screening.drifted() : screening.blocks();
    long kept =
        end.runs().stream().filter(TunedRun::counts)
            .filter(run -> blocks.contains(run.step().block())).count();
    if (kept == 0) {
      return "no: no run can be used";
    }
    StringBuilder words = new StringBuilder();
    words.append(end.answer() instanceof TuneAnswer.Untrusted || isHint() ? "no: " : "yes: ");
    words.append(kept).append(" runs in ").append(screening.blocks().size())
        .append(screening.blocks().size() == 1 ? " block" : " blocks")
        .append(isHint() ? "" : "; drift within a block " + drift(screening.blocks()))
        .append(simulated());
    if (left > 0) {
      words.append("; ").append(left).append(left == 1 ? " run left out" : " runs left out");
    }
    if (!screening.drifted().isEmpty()) {
      words.append("; one block drifted ").append(drift(screening.drifted()))
          .append(isHint() ? " and does not count: the table shows it" : " and was played anew");
    }
    grid.cells().stream()
        .filter(cell -> screening.standing(cell.number()).kind() == Standing.Kind.SAME)
        .findFirst()
        .ifPresent(
            cell ->
                words.append("; ").append(cell.words()).append(" is ")
                    .append(screening.standing(cell.number()).why()));
    List<String> others = new Twins(grid, end.runs()).others();
    others.stream().limit(MOST_OTHERS).forEach(one -> words.append("; ").append(one));
    if (others.size() > MOST_OTHERS) {
      words.append("; and ").append(others.size() - MOST_OTHERS).append(" more like this");
    }
    dead(Standing.Kind.NOT_STARTED, "cell does not start", "cells do not start", words);
    dead(Standing.Kind.DIED, "cell died under this load", "cells died under this load", words);
    return words.toString();
  }

  private void dead(Standing.Kind kind, String one, String more, StringBuilder words) {
    long dead =
        grid.cells().stream()
            .filter(cell -> screening.standing(cell.number()).kind() == kind)
            .count();
    if (dead > 0) {
      words.append("; ").append(Counted.of(dead, one, more));
    }
  }

  /** Whether all there is to see is a block that does not count. */
  private boolean isHint() {
    return screening.blocks().isEmpty() && !screening.drifted().isEmpty();
  }

  private String drift(List<Integer> blocks) {
    OptionalDouble most =
        blocks.stream()
            .map(screening::drift)
            .filter(OptionalDouble::isPresent)
            .mapToDouble(one -> Math.abs(one.getAsDouble()))
            .max();
    return most.isEmpty()
        ? "not known"
        : String.format(Locale.ROOT, "up to %.1f %%", 100 * Math.expm1(most.getAsDouble()));
  }

  /** An engine that is not known to be a real one is none. */
  private String simulated() {
    boolean isReal =
        end.runs().stream()
            .filter(TunedRun::counts)
            .allMatch(run -> "real".equals(run.figures().getFirst().likeness().get(KIND)));
    return isReal ? "" : ScreenLines.SIMULATED;
  }

  private void table(int rows, ScreenLines lines) {
    int width = grid.cells().stream().mapToInt(cell -> cell.words().length()).max().orElse(8);
    lines.add(
        String.format(
            Locale.ROOT, " %-" + width + "s %10s %8s %9s %9s %8s   %s", "cell", "goodput", "good",
            "ITL P99", "TTFT P95", "preempt.", "front (chance)"));
    List<Cell> shown =
        grid.cells().stream()
            .sorted(
                Comparator.comparing(this::isBesideThePoint)
                    .thenComparing(cell -> screening.standing(cell.number()).kind())
                    .thenComparing(cell -> -screening.standing(cell.number()).chance()))
            .limit(rows)
            .sorted(Comparator.comparingInt(Cell::number))
            .toList();
    shown.forEach(cell -> lines.add(row(cell, width)));
    IntSummaryStatistics blocks =
        shown.stream()
            .mapToInt(cell -> evidence.blocks(cell.number()))
            .filter(count -> count > 0)
            .summaryStatistics();
    if (blocks.getMin() < blocks.getMax()) {
      lines.add(
          " means of " + blocks.getMin() + " to " + blocks.getMax() + " blocks; with fewer, all but"
              + " good is shifted by how (now) moved");
    }
    if (shown.size() < grid.cells().size()) {
      lines.add(" and " + (grid.cells().size() - shown.size()) + " more in tune.txt");
    }
  }

  /** Where not all have room: who reads the verdict looks for what it names, and for today's. */
  private boolean isBesideThePoint(Cell cell) {
    return screening.standing(cell.number()).isOut() && !cell.equals(grid.current());
  }

  private String row(Cell cell, int width) {
    Standing standing = screening.standing(cell.number());
    double share = evidence.goodShare(cell.number());
    String chance =
        standing.kind() == Standing.Kind.OPEN && standing.chance() >= 0
            ? String.format(Locale.ROOT, "%.0f %%", 100 * standing.chance())
            : standing.kind() == Standing.Kind.OPEN ? "n/a" : standing.kind().words();
    return String.format(
        Locale.ROOT, " %-" + width + "s %10s %8s %9s %9s %8s   %s%s", cell.words(),
        figure(cell, Response.GOODPUT),
        Double.isNaN(share) ? "n/a" : String.format(Locale.ROOT, "%.1f %%", 100 * share),
        figure(cell, Response.ITL_P99), figure(cell, Response.TTFT_P95),
        figure(cell, Response.PREEMPTIONS), chance, cell.equals(grid.current()) ? " (now)" : "");
  }

  private String figure(Cell cell, Response response) {
    double mean = evidence.mean(cell.number(), response).value();
    return Double.isFinite(mean) ? response.text(response.figure(mean)) : "n/a";
  }
}
