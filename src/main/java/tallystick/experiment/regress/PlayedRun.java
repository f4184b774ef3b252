package tallystick.experiment.regress;

import java.util.List;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.JournalEntry;

/**
 * One run of a comparison that is finished; one line of the journal.
 *
 * @param step what it was for
 * @param elapsedSeconds how long it took, waiting for a quiet engine included
 * @param figures what it showed; null where the engine died
 * @param engine what its engine was asked for, and ran with
 * @param died the last words of a candidate that ended in the middle; empty where it lived
 */
record PlayedRun(
    Step step,
    double elapsedSeconds,
    ComparedRun figures,
    List<EngineSetting> engine,
    String died)
    implements JournalEntry {
  PlayedRun {
    // A journal of an older build does not tell.
    engine = engine == null ? List.of() : List.copyOf(engine);
    died = died == null ? "" : died;
  }

  boolean hasDied() {
    return !died.isEmpty();
  }

  /**
   * A run that is due.
   *
   * @param number from 1
   * @param role which side, and what for
   * @param pair from 1
   * @param seed of its schedule; both runs of a pair have one
   */
  record Step(int number, Role role, int pair, long seed) {}

  /** What a run is for. */
  enum Role {
    BASE,
    CANDIDATE
  }
}
