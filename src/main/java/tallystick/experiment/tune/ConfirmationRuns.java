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
   * Where a comparison is played.
   *
   * @param folder with its journal
   * @param number counts the comparisons of a tuning from 1
   */
  private record Place(RegressExperiment experiment, Path folder, int number) {
    /** What its time was used for. */
    String pairs() {
      return number == 1 ? "fresh pairs" : "fresh pairs (comparison " + number + ")";
    }
  }

  /**
   * Plays what is left of the pairs, and judges them.
   *
   * @param share of the requests that must be good
   * @param tuning in whose folder they have one of their own
   * @return empty if somebody stopped it
   * @throws IOException if the disk or the engine of today's settings fails
   */
  Optional<Answer> play(double share, Site tuning) throws IOException, InterruptedException {
    Place place = in(tuning.folder());
    tuning.say(words(place.number()));
    for (boolean isAgain = false; ; isAgain = true) {
      try {
        Optional<RegressReport> compared =
            ExperimentLoop.run(place.experiment(), tuning.in(place.folder()));
        if (compared.isPresent()) {
          WholeFile.write(
              place.folder().resolve(ComparisonFigures.FILE),
              Journal.text(ComparisonFigures.of(compared.get())));
        }
        return compared.map(
            report ->
                new Answer(
                    judged(report, share), ", then " + report.time() + " of " + place.pairs()));
      } catch (EngineFailure e) {
        if (!e.isOfCandidate()) {
          throw e;
        }
        // Settings that end the engine twice are no accident.
        if (isAgain || e.moment() == EngineFailure.Moment.START) {
          return Optional.of(
              new Answer(
                  new TuneAnswer.Died(cell, e.getMessage()), ", then a part of " + place.pairs()));
        }
      }
    }
  }

  private TuneAnswer judged(RegressReport report, double share) {
    return new TuneAnswer.Compared(Confirmation.of(cell, report.pairs(), margins, share));
  }

  /**
   * A folder below the tuning's: where this very comparison has begun it goes on there. One of
   * another cell, or of another number of pairs, is not mixed with it: its pairs would not be
   * fresh, so the next one has seeds of its own.
   *
   * @throws IOException if it cannot be written
   */
  private Place in(Path tuning) throws IOException {
    int number = 1;
    while (true) {
      Path folder = tuning.resolve(number == 1 ? "confirm" : "confirm-" + number);
      RegressExperiment experiment = experiment(number);
      boolean hasBegun = Journal.isIn(folder);
      if (!hasBegun) {
        Files.createDirectories(folder);
        Journal.begin(folder, experiment.identity());
      }
      if (!hasBegun || Journal.mistakeIn(folder, experiment.identity()).isEmpty()) {
        return new Place(experiment, folder, number);
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
            pairs, new Budget(OptionalDouble.empty()), RateFormat.seed(seed, fresh),
            margins, Optional.empty(), Optional.empty(),
            Purpose.PLAY_ALL),
        new RegressExperiment.Side(engines.with(current.settings(), 0), current.words()),
        new RegressExperiment.Side(engines.with(cell.settings(), fresh), cell.words()));
  }
}
