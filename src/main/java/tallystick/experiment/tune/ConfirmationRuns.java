package tallystick.experiment.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import tallystick.experiment.Budget;
import tallystick.experiment.EngineFailure;
import tallystick.experiment.EngineProvider;
import tallystick.experiment.ExperimentLoop;
import tallystick.experiment.Journal;
import tallystick.experiment.RateFormat;
import tallystick.experiment.Site;
import tallystick.experiment.regress.ComparisonFigures;
import tallystick.experiment.regress.NonInferiorityMargins;
import tallystick.experiment.regress.Purpose;
import tallystick.experiment.regress.RegressExperiment;
import tallystick.experiment.regress.RegressReport;
import tallystick.runrecord.WholeFile;
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
record ConfirmationRuns(
    Scenario scenario,
    EngineProvider engines,
    NonInferiorityMargins margins,
    long seed,
    Configuration current,
    Configuration cell,
    int pairs) {
  /** The seeds of fresh pairs come from far behind those of the blocks. */
  private static final int FRESH = 1_000;

  /**
   * What the pairs say.
   *
   * @param time for the line of a tuning's time: what they took, with what goes before
   */
  record Answer(TuneAnswer answer, String time) {}

  /**
   * Plays what is left of the pairs, and judges them.
   *
   * @param share of the requests that must be good
   * @param tuning in whose folder they have one of their own
   * @return empty if somebody stopped it
   * @throws IOException if the disk or the engine of today's settings fails
   */
  Optional<Answer> play(double share, Site tuning) throws IOException, InterruptedException {
    int number = begun(tuning.folder());
    Path folder = folder(tuning.folder(), number);
    String pairs = number == 1 ? "fresh pairs" : "fresh pairs (comparison " + number + ")";
    tuning.say(words(number));
    for (boolean isAgain = false; ; isAgain = true) {
      try {
        Optional<RegressReport> compared =
            ExperimentLoop.run(experiment(number), tuning.in(folder));
        if (compared.isPresent()) {
          WholeFile.write(
              folder.resolve(ComparisonFigures.FILE),
              Journal.text(ComparisonFigures.of(compared.get())));
        }
        return compared.map(
            report ->
                new Answer(
                    new TuneAnswer.Compared(Confirmation.of(cell, report.pairs(), margins, share)),
                    ", then " + report.time() + " of " + pairs));
      } catch (EngineFailure e) {
        if (!e.isOfCandidate()) {
          throw e;
        }
        // Settings that end the engine twice are no accident.
        if (isAgain || e.moment() == EngineFailure.Moment.START) {
          return Optional.of(
              new Answer(
                  new TuneAnswer.Died(cell, e.getMessage()), ", then a part of " + pairs));
        }
      }
    }
  }

  private static Path folder(Path tuning, int number) {
    return tuning.resolve(number == 1 ? "confirm" : "confirm-" + number);
  }

  /**
   * The number, from 1, of this comparison among those of a tuning: where this very one has begun
   * it goes on there. One of another cell, or of another number of pairs, is not mixed with it: its
   * pairs would not be fresh, so the next one has seeds of its own.
   *
   * @throws IOException if its journal cannot be written
   */
  private int begun(Path tuning) throws IOException {
    for (int number = 1; ; number++) {
      Path folder = folder(tuning, number);
      if (!Journal.isIn(folder)) {
        Files.createDirectories(folder);
        Journal.begin(folder, experiment(number).identity());
        return number;
      }
      if (Journal.mistakeIn(folder, experiment(number).identity()).isEmpty()) {
        return number;
      }
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
            pairs, new Budget(OptionalDouble.empty()), RateFormat.seed(seed, fresh),
            margins, Optional.empty(), Optional.empty(),
            Purpose.PLAY_ALL),
        new RegressExperiment.Side(engines.with(current.settings(), 0), current.words()),
        new RegressExperiment.Side(engines.with(cell.settings(), fresh), cell.words()));
  }
}
