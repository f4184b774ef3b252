package tallystick.experiment.study;

import java.util.List;
import java.util.Optional;
import tallystick.experiment.study.StudyResult.Reference;
import tallystick.scenario.Formatted;

/** Which runs met another engine than the others: their reference step took another time. */
final class Drift {
  /** How many times its own noise a reference must move, and by which share at least. */
  private static final double TIMES_NOISE = 4;

  private static final double LEAST_SHARE = 0.04;

  /**
   * A run whose reference moved.
   *
   * @param number of the run
   * @param share by which it took longer, or less
   * @param noiseShare standard error of that share
   */
  record Moved(int number, double share, double noiseShare) {
    String words() {
      return Formatted.of(
          "run %d (%+,.0f %%, noise %.1f %%)", number, 100 * share,
          100 * noiseShare);
    }
  }

  private Drift() {}

  /** The runs that moved, each against the middle one of its mix. */
  static List<Moved> of(List<StudyResult> measured) {
    return measured.stream()
        .flatMap(result -> of(result, measured).stream())
        .toList();
  }

  private static Optional<Moved> of(StudyResult result, List<StudyResult> measured) {
    List<Reference> all =
        measured.stream()
            .filter(other -> other.run().mix().equals(result.run().mix()))
            .map(StudyResult::reference)
            .filter(other -> other.requests() > 0)
            .sorted((a, b) -> Double.compare(a.meanSeconds(), b.meanSeconds()))
            .toList();
    if (all.size() < 2 || result.reference().requests() == 0) {
      return Optional.empty();
    }
    // Of two runs the faster one is the measure: an engine is slowed down, not sped up.
    Reference middle = all.get((all.size() - 1) / 2);
    Reference own = result.reference();
    double share = own.meanSeconds() / middle.meanSeconds() - 1;
    double noise =
        Math.hypot(own.errorSeconds(), middle.errorSeconds()) / middle.meanSeconds();
    return Math.abs(share) > Math.max(LEAST_SHARE, TIMES_NOISE * noise)
        ? Optional.of(new Moved(result.run().number(), share, noise))
        : Optional.empty();
  }
}
