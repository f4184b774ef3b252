package tallystick.analysis;

import tallystick.analysis.result.RunAnalysis;
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
   * The same, with the first healthy phase of another run as the reference of the interpretation.
   */
  public static RunAnalysis analyze(RunRows rows, RunRows baselineRun) {
    RunJudge baseline = new RunJudge(RunReading.of(baselineRun));
    return new RunJudge(RunReading.of(rows)).judgeAgainst(baseline);
  }
}
