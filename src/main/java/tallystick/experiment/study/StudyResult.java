package tallystick.experiment.study;

import java.util.List;
import java.util.Optional;
import tallystick.experiment.JournalEntry;

/**
 * What one finished run showed; one line of the journal.
 *
 * @param run what was asked for
 * @param folder its record, below the experiment's folder
 * @param elapsedSeconds how long it took, waiting for a quiet engine included; 0 of an hour of
 *     health in virtual time, which costs no budget
 * @param readings one for each step
 * @param reference how fast the engine was in the reference step; of no requests in a scout
 * @param trusted whether its figures may be used
 * @param comparedInFull whether all that both sides should count was compared, and agrees
 * @param doubt why not; empty where they may
 */
record StudyResult(
    StudyRun run,
    String folder,
    double elapsedSeconds,
    List<StepReading> readings,
    Reference reference,
    boolean trusted,
    boolean comparedInFull,
    String doubt)
    implements JournalEntry {
  StudyResult {
    readings = List.copyOf(readings);
  }

  /**
   * What one step showed.
   *
   * @param judged requests that could be judged by every objective
   * @param held whether every objective was kept by as many as it asks for
   * @param goodShare of the objective that did worst
   * @param completedPerSecond requests that ended well, over the last two thirds of the step
   */
  record StepReading(
      StudyStep step, long judged, boolean held, double goodShare, double completedPerSecond) {

    /** Whether the engine did not complete what was offered. */
    boolean drowned() {
      return !held && completedPerSecond < 0.95 * step.perSecond();
    }
  }

  /**
   * The mean time of a request of the reference step, and its standard error from batches.
   *
   * @param requests how many there were
   */
  record Reference(double meanSeconds, double errorSeconds, long requests) {
    static final Reference NONE = new Reference(0, 0, 0);
  }

  /**
   * What a mix of requests completed under the latest overload; the most that it completed where
   * the engine kept up with every step.
   */
  static double completedPerSecond(List<StudyResult> runs, String mix) {
    List<StepReading> steps =
        runs.stream()
            .filter(one -> one.trusted() && one.run().mix().equals(mix))
            .flatMap(one -> one.readings().stream())
            .toList();
    return steps.stream()
        .filter(StepReading::drowned)
        .reduce((earlier, later) -> later)
        .map(StepReading::completedPerSecond)
        .orElseGet(
            () ->
                steps.stream()
                    .mapToDouble(StepReading::completedPerSecond)
                    .max()
                    .orElse(0));
  }

  /** The first step of a kind. */
  Optional<StepReading> first(StudyStep.Kind kind) {
    return readings.stream().filter(reading -> reading.step().kind() == kind).findFirst();
  }
}
