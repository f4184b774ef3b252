package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tallystick.analysis.result.RunAnalysis;
import tallystick.analysis.result.RunFigures;
import tallystick.runrecord.RunRows;

/** Turns the rows of one run into everything the product says about it; one pass over each file. */
public final class Analyzer {
  private Analyzer() {}

  /**
   * The analysis of a run. Sections the record cannot carry say why they are missing; nothing is
   * estimated in silence.
   */
  public static RunAnalysis analyze(RunRows rows) {
    return new RunJudge(RunReading.of(rows)).judge();
  }

  /**
   * The same, while somebody else reads the requests in the same pass.
   *
   * @param made makes the reader, anew where the requests have to be read once more
   */
  public static <R extends RequestReader> Beside<R> analyze(
      RunRows rows, Function<RunMarks, R> made) {
    List<R> readers = new ArrayList<>();
    RunReading reading =
        RunReading.of(
            rows,
            marks -> {
              readers.add(made.apply(marks));
              return readers.getLast();
            });
    return new Beside<>(RunFigures.of(new RunJudge(reading).judge()), readers.getLast());
  }

  /** A run's figures, and what read the requests beside them. */
  public record Beside<R>(RunFigures figures, R reader) {}

  /**
   * The same, with the first healthy phase of another run as the reference of the interpretation.
   */
  public static RunAnalysis analyze(RunRows rows, RunRows baselineRun) {
    RunJudge baseline = new RunJudge(RunReading.of(baselineRun));
    return new RunJudge(RunReading.of(rows)).judgeAgainst(baseline);
  }
}
