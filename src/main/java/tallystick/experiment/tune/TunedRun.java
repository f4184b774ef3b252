package tallystick.experiment.tune;

import java.util.List;
import tallystick.experiment.EngineSetting;
import tallystick.experiment.JournalEntry;
import tallystick.experiment.regress.ComparedRun;

/**
 * One run that is finished; one line of the journal.
 *
 * @param step what it was for
 * @param elapsedSeconds how long it took, starting the engine included
 * @param figures what it showed; empty where the engine did not start
 * @param settings what the engine said it ran with
 * @param failure why the engine did not start, or ended in the run; empty where it did not
 * @param hasDied whether it started, and ended in the run, twice
 */
record TunedRun(
    Step step,
    double elapsedSeconds,
    List<ComparedRun> figures,
    List<EngineSetting> settings,
    String failure,
    boolean hasDied)
    implements JournalEntry {
  TunedRun {
    settings = List.copyOf(settings);
    figures = List.copyOf(figures);
  }

  /**
   * A run that is due.
   *
   * @param number from 1
   * @param block from 1: all cells once, under one schedule
   * @param place in the block, from 0; the first and the last run the current cell
   * @param cell which settings
   * @param attempt from 1; one that is spoiled is played once more
   * @param seed of its schedule
   */
  record Step(int number, int block, int place, int cell, int attempt, long seed) {}

  boolean failed() {
    return !failure.isEmpty();
  }

  /** Whether it has figures, and they do not count. */
  boolean isSpoiled() {
    return !counts() && !failed();
  }

  /** Whether its figures count. */
  boolean counts() {
    return !figures.isEmpty() && figures.getFirst().spoiledBy().isEmpty();
  }
}
