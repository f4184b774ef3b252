package tallystick.experiment.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.experiment.Budget;
import tallystick.experiment.Engines;
import tallystick.experiment.Journal;
import tallystick.experiment.Rates;
import tallystick.experiment.regress.Margins;
import tallystick.experiment.regress.RegressExperiment;
import tallystick.scenario.Scenario;

/**
 * The comparison, as {@code regress} makes it, of the cell that looks best with the current one.
 *
 * @param scenario that both play
 * @param engines of both
 * @param margins what the best cell may be worse by
 * @param seed of the tuning
 * @param current cell
 * @param cell that looks best
 * @param pairs that are played
 */
record FreshPairs(
    Scenario scenario, Engines engines, Margins margins, long seed, Cell current, Cell cell,
    int pairs) {
  /** The seeds of fresh pairs come from far behind those of the blocks. */
  private static final int FRESH = 1_000;

  /**
   * Where a comparison is played.
   *
   * @param folder with its journal
   * @param number counts the comparisons of a tuning from 1
   * @param words for the line that says that it begins
   */
  record Place(RegressExperiment experiment, Path folder, int number, String words) {
    /** What its time was used for. */
    String pairs() {
      return number == 1 ? "fresh pairs" : "fresh pairs (comparison " + number + ")";
    }
  }

  /**
   * A folder below the tuning's: where this very comparison has begun it goes on there. One of
   * another cell, or of another number of pairs, is not mixed with it: its pairs would not be
   * fresh, so the next one has seeds of its own.
   *
   * @throws IOException if it cannot be written
   */
  Place in(Path tuning) throws IOException {
    int number = 1;
    while (true) {
      Path folder = tuning.resolve(number == 1 ? "confirm" : "confirm-" + number);
      RegressExperiment experiment = experiment(number);
      boolean hasBegun = Journal.isIn(folder);
      if (!hasBegun) {
        Files.createDirectories(folder);
        Journal.begin(folder, experiment.memory());
      }
      if (!hasBegun || Journal.mistakeIn(folder, experiment.memory()).isEmpty()) {
        return new Place(experiment, folder, number, words(number));
      }
      number++;
    }
  }

  private String words(int number) {
    String others =
        number == 1 ? "" : "; those played before were of another comparison and do not count";
    return "fresh pairs: " + cell.words() + " against " + current.words() + others;
  }

  private RegressExperiment experiment(int number) {
    int fresh = FRESH * number;
    return new RegressExperiment(
        scenario,
        new RegressExperiment.Asked(
            pairs, new Budget(OptionalDouble.empty()), Rates.seed(seed, fresh),
            margins, Optional.empty(), Optional.empty(),
            RegressExperiment.Purpose.COMPARE),
        new RegressExperiment.Side(engines.with(current.settings(), 0), current.words()),
        new RegressExperiment.Side(engines.with(cell.settings(), fresh), cell.words()));
  }
}
