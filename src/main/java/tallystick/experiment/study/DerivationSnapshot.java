package tallystick.experiment.study;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tallystick.alerting.derivation.AlertDerivation;
import tallystick.alerting.derivation.AlertRequest;
import tallystick.alerting.derivation.DerivationRun;
import tallystick.alerting.derivation.SignalOutcome;
import tallystick.alerting.review.AlertReview;
import tallystick.runrecord.HowFar;
import tallystick.runrecord.RecordReader;
import tallystick.scenario.Objective;

/**
 * What the records of a study's runs say about thresholds.
 *
 * @param folder of the study
 * @param objectives those that the engine has a histogram for
 */
record DerivationSnapshot(Path folder, List<Objective> objectives) {
  /** Fewer runs derive nothing: one must be left out. */
  private static final int LEAST_RUNS = 2;

  /** How each threshold stands after these runs; empty while none can be derived. */
  List<ThresholdProgress> standings(List<StudyResult> measured) throws IOException {
    List<ThresholdProgress> standings = new ArrayList<>();
    if (measured.size() < LEAST_RUNS) {
      return standings;
    }
    List<DerivationRun> runs = open(measured);
    HowFar.ofRuns(runs.size());
    for (Objective objective : objectives) {
      AlertDerivation derivation = new AlertDerivation(runs, request(objective, measured));
      for (SignalOutcome outcome : derivation.outcomes(runs)) {
        standings.add(
            ThresholdProgress.of(
                objective.metric(), outcome.signal(), outcome.lacks(), measured.size()));
      }
    }
    return standings;
  }

  /**
   * The rules that the runs earn, judged on runs and mixes left out, on health and on a ramp: one
   * review for each objective, none with too few runs.
   */
  List<AlertReview> reviews(List<StudyResult> done) throws IOException {
    List<StudyResult> measured = StudySearch.measured(done);
    if (measured.size() < LEAST_RUNS) {
      return List.of();
    }
    List<DerivationRun> runs = new ArrayList<>(open(measured));
    List<DerivationRun> healthy = new ArrayList<>(open(StudySearch.trials(done)));
    List<DerivationRun> ramps = healthy.stream().filter(DerivationRun::isRamp).toList();
    healthy.removeAll(ramps);
    runs.addAll(ramps);
    HowFar.ofRuns(runs.size() + healthy.size());
    return objectives.stream()
        .map(objective -> AlertReview.of(runs, healthy, request(objective, measured), objectives))
        .toList();
  }

  /** The model that the runs asked for; empty without a run. */
  String model(List<StudyResult> measured) throws IOException {
    return measured.isEmpty()
        ? ""
        : RecordReader.open(folder.resolve(measured.getFirst().folder())).manifest().model();
  }

  private List<DerivationRun> open(List<StudyResult> measured) throws IOException {
    List<Integer> moved = Drift.of(measured).stream().map(Drift.Moved::number).toList();
    List<DerivationRun> runs = new ArrayList<>();
    for (StudyResult result : measured) {
      runs.add(
          new DerivationRun(
              RecordReader.open(folder.resolve(result.folder())), true, result.run().mix(),
              moved.contains(result.run().number())));
    }
    return runs;
  }

  /** Steps are made of whole windows: nothing is left out at their beginning. */
  private static AlertRequest request(Objective objective, List<StudyResult> measured) {
    return AlertRequest.usual(objective)
        .withWindows(1000L * measured.getFirst().run().windowSeconds(), 0);
  }
}
