package tallystick.experiment.regress;

import java.util.List;

/**
 * Runs of a base that were measured once, as figures without rows; a file to commit.
 *
 * @param formatVersion of the file
 * @param scenario which load
 * @param engine what the base was, in words
 * @param runs its runs
 */
public record Baseline(
    int formatVersion, String scenario, String engine, List<ComparedRun> runs) {
  static final int FORMAT = 1;
}
