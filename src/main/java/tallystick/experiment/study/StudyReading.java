package tallystick.experiment.study;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tallystick.analysis.Analyzer;
import tallystick.analysis.RequestReader;
import tallystick.analysis.RunMarks;
import tallystick.analysis.result.ObjectiveResult;
import tallystick.analysis.result.RunFigures;
import tallystick.analysis.result.Usability;
import tallystick.experiment.RunPlayer;
import tallystick.experiment.study.StudyResult.Reference;
import tallystick.experiment.study.StudyResult.StepReading;
import tallystick.plan.Phase;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Objective;

/**
 * Reads a finished run's requests while they are analysed: how each step was borne, and whether it
 * may be used.
 */
final class StudyReading implements RequestReader {
  private static final double NANOS = 1e9;

  /** They tell the noise of a step's mean; of more, each would hold few requests. */
  private static final int BATCHES = 6;

  private final Map<String, Tally> tallies = new HashMap<>();
  private final double originNanos;

  /** Counts of one step. */
  private final class Tally {
    private final StudyStep step;
    private final double fromNanos;
    private final double toNanos;
    private final double[] seconds = new double[BATCHES];
    private final long[] ended = new long[BATCHES];
    private long completed;

    Tally(StudyStep step, Phase phase) {
      this.step = step;
      this.fromNanos = phase.startNanos();
      this.toNanos = phase.endNanos();
    }

    void take(RequestRow row) {
      double offset = row.times().intended() - originNanos - fromNanos;
      int batch = (int) (BATCHES * offset / (toNanos - fromNanos));
      if (row.ending().outcome() == Outcome.OK) {
        int kept = Math.max(0, Math.min(BATCHES - 1, batch));
        seconds[kept] += (row.times().ended() - row.times().intended()) / NANOS;
        ended[kept]++;
      }
    }

    /** Counts a request of any step that ended late enough in this one. */
    void completed(double endNanos) {
      double begin = fromNanos + (toNanos - fromNanos) / 3;
      completed += endNanos >= begin && endNanos < toNanos ? 1 : 0;
    }

    StepReading reading(List<ObjectiveResult> studied) {
      double late = (toNanos - fromNanos) * 2 / 3 / NANOS;
      return new StepReading(
          step, studied.getFirst().judged(),
          studied.stream().allMatch(one -> goodShare(one) >= one.objective().share()),
          studied.stream().mapToDouble(StudyReading::goodShare).min().orElse(1),
          completed / late);
    }

    Reference reference() {
      List<Double> means = new ArrayList<>();
      double sum = 0;
      long all = 0;
      for (int i = 0; i < BATCHES; i++) {
        sum += seconds[i];
        all += ended[i];
        if (ended[i] > 0) {
          means.add(seconds[i] / ended[i]);
        }
      }
      if (means.size() < 2) {
        return Reference.NONE;
      }
      double mean = means.stream().mapToDouble(one -> one).average().orElse(0);
      double squares = means.stream().mapToDouble(one -> (one - mean) * (one - mean)).sum();
      double error = Math.sqrt(squares / (means.size() - 1) / means.size());
      return new Reference(sum / all, error, all);
    }
  }

  private static double goodShare(ObjectiveResult one) {
    return one.judged() == 0 ? 0 : (double) one.good() / one.judged();
  }

  private StudyReading(StudyRun run, RunRows rows, RunMarks marks) {
    this.originNanos = marks.originNanos().orElse(0);
    for (Phase phase : rows.settings().phases()) {
      run.steps().stream()
          .filter(step -> phase.name().equals(step.name()))
          .forEach(step -> tallies.put(step.name(), new Tally(step, phase)));
    }
  }

  /** What the record of a run says. */
  static RunPlayer.Read<StudyResult> of(
      StudyRun run, String folder, double elapsedSeconds, List<Objective> objectives,
      RunRows rows) {
    Analyzer.Beside<StudyReading> read =
        Analyzer.analyze(rows, marks -> new StudyReading(run, rows, marks));
    StudyReading reading = read.reader();
    RunFigures figures = read.figures();
    List<Tally> inOrder =
        run.steps().stream()
            .filter(step -> reading.tallies.containsKey(step.name()))
            .map(step -> reading.tallies.get(step.name()))
            .toList();
    Reference reference =
        inOrder.stream()
            .filter(tally -> tally.step.kind() == StudyStep.Kind.REFERENCE)
            .findFirst()
            .map(Tally::reference)
            .orElse(Reference.NONE);
    Usability usability = figures.usability();
    List<StepReading> readings =
        inOrder.stream()
            .map(
                tally ->
                    tally.reading(
                        figures.objectives(tally.step.name()).stream()
                            .filter(one -> objectives.contains(one.objective()))
                            .toList()))
            .toList();
    return new RunPlayer.Read<>(
        new StudyResult(
            run, folder, elapsedSeconds, readings, reference, usability.isForLatencies(),
            usability.isComparedInFull(), usability.reason().orElse("")),
        figures.analysis());
  }

  @Override
  public void read(RequestRow row, int choices) {
    Tally own = tallies.get(row.phase());
    if (own != null) {
      own.take(row);
    }
    if (row.ending().outcome() == Outcome.OK) {
      double end = row.times().ended() - originNanos;
      tallies.values().forEach(tally -> tally.completed(end));
    }
  }
}
