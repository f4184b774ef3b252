package tallystick.experiment.study;

import java.util.List;
import java.util.Optional;
import tallystick.experiment.Budget;
import tallystick.scenario.Objective;

/**
 * A study that has ended.
 *
 * @param scenario its name
 * @param engine in words
 * @param model that the runs asked for; empty without a run
 * @param budget time for all runs
 * @param end why no further run was asked for
 * @param runs all that were played
 * @param standings how each threshold stands
 * @param leftOut objectives that were not studied
 * @param forecast what a profile predicted; empty where none was asked
 */
record FinishedStudy(
    String scenario,
    String engine,
    String model,
    Budget budget,
    StudyEnd end,
    List<StudyResult> runs,
    List<Standing> standings,
    List<Objective> leftOut,
    Optional<Forecast> forecast) {
  FinishedStudy {
    leftOut = List.copyOf(leftOut);
    runs = List.copyOf(runs);
    standings = List.copyOf(standings);
  }

  double elapsedSeconds() {
    return runs.stream().mapToDouble(StudyResult::elapsedSeconds).sum();
  }

  List<Drift.Moved> moved() {
    return Drift.of(StudySearch.measured(runs));
  }
}
