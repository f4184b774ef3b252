package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tallystick.experiment.ScreenLines;

/**
 * What to do after a tuning.
 *
 * @param end of it
 */
record TuneNext(TuneEnd end) {

  /** A line with what stands at its left. */
  record Said(String head, String text) {}

  List<Said> lines() {
    return switch (end.answer()) {
      case TuneAnswer.Recommended earned -> {
        Cell cell = earned.confirmation().cell();
        List<Said> all = new ArrayList<>();
        all.add(new Said("NEXT", "Start the engine with " + flags(cell) + "."));
        if (isAtTheEdge(cell)) {
          all.add(new Said("", "The best lies at the edge of the grid: try values beyond it."));
        }
        yield all;
      }
      case TuneAnswer.KeepCurrent keep ->
          List.of(
              new Said(
                  "NEXT",
                  isClosedLoop()
                      ? "Try a higher concurrency, where settings differ."
                      : "Try a higher rate, where settings differ; tally capacity finds it."));
      case TuneAnswer.TradeOff open -> List.of(new Said("NEXT", accepting(open)));
      case TuneAnswer.NoneHolds none ->
          List.of(
              new Said(
                  "NEXT",
                  "Try a lower " + (isClosedLoop() ? "concurrency" : "rate")
                      + ", or other values."));
      case TuneAnswer.NotConfirmed open ->
          List.of(new Said("NEXT", morePairsNext(open.confirmation())));
      case TuneAnswer.Died dead ->
          List.of(
              new Said(
                  "NEXT",
                  "Read why it ended, in confirm/runs/…/engine.log; then try a grid without it."));
      case TuneAnswer.CannotTell open -> List.of(new Said("NEXT", more(open.blocksNeeded())));
      case TuneAnswer.Untrusted doubt ->
          List.of(
              new Said("NEXT", "What spoiled a run is told by:"),
              new Said("", "./tally report " + ScreenLines.FOLDER + "/runs/RUN"));
    };
  }

  private static String accepting(TuneAnswer.TradeOff open) {
    return open.margins().isEmpty()
        ? "Try another load or other values: no --margin accepts that price."
        : "If that price is fine, give the same command with --margin "
            + String.join(" --margin ", open.margins()) + ".";
  }

  private boolean isClosedLoop() {
    return end.runs().stream()
        .filter(TunedRun::counts)
        .anyMatch(run -> run.figures().getFirst().load().closedLoop());
  }

  private String more(int blocksNeeded) {
    if (end.choice().isPredictedOnly()) {
      return "Give the same command without --predict: it measures every cell.";
    }
    if (blocksNeeded >= Choice.MOST_BLOCKS) {
      return "Play longer runs, or a load under which the settings differ more.";
    }
    return ScreenLines.COMMAND + " --resume " + ScreenLines.FOLDER + " --blocks "
        + Math.max(2, end.screening().blocks().size() + blocksNeeded);
  }

  private static String flags(Cell cell) {
    List<String> words = new ArrayList<>();
    for (Map.Entry<String, String> one : cell.settings().entrySet()) {
      words.add("--" + one.getKey().replace('_', '-') + " " + one.getValue());
    }
    return String.join(" ", words);
  }

  private boolean isAtTheEdge(Cell cell) {
    return end.grid().factors().stream()
        .anyMatch(factor -> factor.isEdge(cell.settings().get(factor.flag())));
  }

  private static String morePairsNext(Confirmation open) {
    String repeats =
        open.pairsNeeded() == 0 ? "more --repeats" : "--repeats " + open.pairsNeeded();
    return "Give the same command with another --seed, " + repeats + " and the budget that takes.";
  }
}
