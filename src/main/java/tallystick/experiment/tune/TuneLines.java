package tallystick.experiment.tune;

import tallystick.experiment.JointObjective;
import tallystick.experiment.regress.ComparedMetric;
import tallystick.experiment.regress.ComparedRun;
import tallystick.scenario.Formatted;

/** What is said while blocks are played. */
record TuneLines(Screening.Question question) {

  String begin(TunedRun.Step step, Screening screening) {
    String again = step.attempt() > 1 ? "   once more" : "";
    return Formatted.of(
        "run %d   block %d of %d, %d cells   %s%s", step.number(), step.block(),
        question.blocks() + screening.drifted().size(), screening.left().size(),
        question.grid().cells().get(step.cell()).words(), again);
  }

  static String end(TunedRun run) {
    if (run.failed()) {
      return "         " + (run.hasDied() ? "died twice: " : "does not start: ") + run.failure();
    }
    ComparedRun figures = run.figures().getFirst();
    if (!run.counts()) {
      return "         doubtful: " + figures.doubts().getFirst().text();
    }
    return Formatted.of(
        "         goodput %.4g/s, %.4g %% good, ITL P99 %s, TTFT P95 %s",
        TunedMetric.GOODPUT.figure(TunedMetric.GOODPUT.cost(figures)),
        100 * TunedMetric.goodShare(figures), time(figures, ComparedMetric.ITL_P99),
        time(figures, ComparedMetric.TTFT_P95));
  }

  private static String time(ComparedRun figures, ComparedMetric metric) {
    return figures.metrics().containsKey(metric)
        ? JointObjective.duration(figures.metrics().get(metric))
        : "n/a";
  }
}
