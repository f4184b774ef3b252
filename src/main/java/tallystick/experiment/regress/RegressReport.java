package tallystick.experiment.regress;

import java.util.List;

/**
 * A base and a candidate, judged.
 *
 * @param command that was asked
 * @param title the scenario's name
 * @param base what the base is, in words
 * @param candidate what the candidate is
 * @param repeats the most pairs that were asked for
 * @param time how long it took, in words; empty for recorded runs
 * @param pairSeconds how long a pair took, all around it included; 0 for recorded runs
 * @param regression the verdict and its evidence
 * @param noise of this installation, in words; empty where it is not known
 * @param cautions what a reader must know beside the figures
 * @param baseRuns the figures of the base's runs
 * @param candidateRuns the figures of the candidate's
 * @param purpose what was wanted
 * @param died when a candidate ended in the middle, and its last words; empty where it lived
 */
public record RegressReport(
    String command,
    String title,
    String base,
    String candidate,
    int repeats,
    String time,
    double pairSeconds,
    Regression regression,
    String noise,
    List<String> cautions,
    List<ComparedRun> baseRuns,
    List<ComparedRun> candidateRuns,
    Purpose purpose,
    String died) {
  /** What no order of runs can take out of an effect. */
  public static final String BASE_OF_A_FILE =
      "the base is a saved file: a change of the machine since then is part of the difference";

  /** The runs as pairs, to judge them otherwise. */
  public RegressionJudge.Runs pairs() {
    return new RegressionJudge.Runs(
        baseRuns, candidateRuns, true, regression.design().candidateFirst(), 0, 0);
  }
}
