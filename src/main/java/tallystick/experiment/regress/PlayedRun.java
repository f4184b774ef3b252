package tallystick.experiment.regress;

import java.util.List;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.JournalEntry;

/**
 * One run of a comparison that is finished; one line of the journal.
 *
 * @param step what it was for
 * @param elapsedSeconds how long it took, waiting for a quiet engine included
 * @param figures what it showed
 * @param engine what its engine was asked for, and ran with
 */
record PlayedRun(
    Step step, double elapsedSeconds, RunFigures figures, List<EngineSetting> engine)
    implements JournalEntry {
  PlayedRun {
    // A journal of an older build does not tell.
    engine = engine == null ? List.of() : List.copyOf(engine);
  }

  /**
   * A run that is due.
   *
   * @param number from 1
   * @param role which side, and what for
   * @param pair from 1; 0 for a reference
   * @param seed of its schedule; both runs of a pair have one
   */
  record Step(int number, Role role, int pair, long seed) {}

  /** What a run is for. */
  enum Role {
    /** The base once more under one schedule, to see whether the machine drifts. */
    REFERENCE,
    BASE,
    CANDIDATE
  }
}
