package tallystick.experiment.regress;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tallystick.analysis.result.Change;

/**
 * {@code comparison.json}: every figure of a comparison, for programs.
 *
 * @param formatVersion of the file
 * @param scenario its name
 * @param base what the base is, in words
 * @param candidate what the candidate is; empty where a base alone was measured
 * @param verdict passed, regressed, too_close or invalid
 * @param strength how sure the verdict is: sure, likely or too_close
 * @param died when a candidate ended in the middle, and its last words; empty where it lived
 * @param repeatsAsked the most pairs that were asked for; 0 for recorded runs
 * @param time how long it took, in words; empty for recorded runs
 * @param metrics each with its own verdict
 * @param changes where the time went; empty where the sides do not tell
 * @param differences settings, versions and engine figures that differ
 * @param unlike why the runs cannot be compared; empty where they can
 * @param design what was compared
 * @param pileUp in how many runs the load was too much
 * @param noise of this installation, in words; empty where it is not known
 * @param cautions what a reader must know beside the figures
 * @param baseRuns the figures of the base's runs
 * @param candidateRuns the figures of the candidate's runs
 */
public record ComparisonFigures(
    int formatVersion,
    String scenario,
    String base,
    String candidate,
    String verdict,
    String strength,
    String died,
    int repeatsAsked,
    String time,
    List<Regression.Judged> metrics,
    List<Waterfall> changes,
    List<Regression.Difference> differences,
    List<Regression.Unlike> unlike,
    Regression.Design design,
    OverloadEvidence pileUp,
    String noise,
    List<String> cautions,
    List<ComparedRun> baseRuns,
    List<ComparedRun> candidateRuns) {
  /** The file in an experiment's folder. */
  public static final String FILE = "comparison.json";

  /** Of the file; a field that goes or changes its meaning makes another. */
  public static final int FORMAT = 2;

  /**
   * A mean latency taken apart.
   *
   * @param quantity which
   * @param parts the whole first, then its parts in the order of time
   */
  public record Waterfall(String quantity, List<Part> parts) {
    static Waterfall of(Change change) {
      return new Waterfall(
          change.quantity().code(),
          Stream.concat(Stream.of(change.whole()), change.parts().stream())
              .map(Part::of)
              .toList());
    }
  }

  /**
   * One part of the wait.
   *
   * @param part which
   * @param baseSeconds mean of the base's runs
   * @param candidateSeconds mean of the candidate's
   * @param riseSeconds candidate less base
   * @param riseLowSeconds lower end of its 95 % interval
   * @param riseHighSeconds upper end of its 95 % interval
   * @param grew whether it rose beyond its interval
   */
  public record Part(
      String part,
      double baseSeconds,
      double candidateSeconds,
      double riseSeconds,
      double riseLowSeconds,
      double riseHighSeconds,
      boolean grew) {
    private static Part of(Change.Part part) {
      return new Part(
          part.name().code(), part.reference().orNaN(), part.judged().orNaN(),
          part.rise().value().orNaN(), part.rise().low().orNaN(), part.rise().high().orNaN(),
          part.grew());
    }
  }

  /** The figures of a comparison. */
  public static ComparisonFigures of(RegressReport report) {
    Regression regression = report.regression();
    return new ComparisonFigures(
        FORMAT, report.title(), report.base(), report.candidate(),
        regression.verdict().name().toLowerCase(Locale.ROOT), regression.strength().code(),
        report.died(), report.repeats(), report.time(),
        regression.metrics(), regression.changes().stream().map(Waterfall::of).toList(),
        regression.differences(), regression.unlike(), regression.design(), regression.pileUp(),
        report.noise(), report.cautions(), report.baseRuns(), report.candidateRuns());
  }
}
