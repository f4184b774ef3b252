package tallystick.alerting.derivation;

import java.util.List;
import tallystick.analysis.statistics.LeastSquares;

/**
 * What a step takes at a load: {@code base + request * running + token * tokens of a step + again *
 * what it computes again}. After a preemption a request's tokens are computed once more, and no
 * metric counts them.
 *
 * @param base seconds of any step
 * @param request seconds for each running request
 * @param token seconds for each token of a step
 * @param again seconds for computing a full KV cache once more
 */
public record StepTimeModel(double base, double request, double token, double again) {
  private static final int[][] CHOICES = {
    {0, 1, 2, 3}, {0, 2, 3}, {0, 1, 2}, {0, 1, 3}, {0, 2}, {0, 3}, {0, 1}, {0}
  };

  /**
   * Fits the relative error. A cost below zero is none: then the fit goes without it.
   *
   * @param samples complete, three or more
   */
  static StepTimeModel fit(List<StepSample> samples) {
    LeastSquares squares = new LeastSquares(CHOICES[0].length);
    for (StepSample sample : samples) {
      double step = sample.stepSeconds();
      squares.add(
          new double[] {
            1 / step, sample.running() / step, sample.tokensPerStep() / step, sample.again() / step
          },
          1, 1);
    }
    return squares.firstOf(CHOICES)
        .map(costs -> new StepTimeModel(costs[0], costs[1], costs[2], costs[3]))
        .orElseThrow(() -> new IllegalStateException("a positive mean has a positive fit"));
  }

  /** Times as long as expected; NaN where no step was taken. */
  double ratio(StepSample sample) {
    return sample.isComplete()
        ? sample.stepSeconds()
            / (base + request * sample.running() + token * sample.tokensPerStep()
                + again * sample.again())
        : Double.NaN;
  }
}
