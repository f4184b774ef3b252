package tallystick.alerting.derivation;

import java.util.List;
import org.apache.commons.math3.linear.SingularMatrixException;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

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
public record StepCost(double base, double request, double token, double again) {
  private static final int[][] CHOICES = {
    {0, 1, 2, 3}, {0, 2, 3}, {0, 1, 2}, {0, 1, 3}, {0, 2}, {0, 3}, {0, 1}, {0}
  };

  /**
   * Fits by least squares of the relative error. A cost below zero is none: then the fit goes
   * without it.
   *
   * @param samples complete, three or more
   */
  static StepCost fit(List<StepSample> samples) {
    for (int[] choice : CHOICES) {
      double[] costs = fit(samples, choice);
      if (costs.length > 0) {
        return new StepCost(costs[0], costs[1], costs[2], costs[3]);
      }
    }
    throw new IllegalStateException("a positive mean has a positive fit");
  }

  /** Four costs; empty where they cannot be told apart or one is negative. */
  private static double[] fit(List<StepSample> samples, int[] choice) {
    double[][] loads = new double[samples.size()][choice.length];
    double[] ones = new double[samples.size()];
    for (int i = 0; i < loads.length; i++) {
      StepSample sample = samples.get(i);
      double[] all = {1, sample.running(), sample.tokensPerStep(), sample.again()};
      for (int j = 0; j < choice.length; j++) {
        loads[i][j] = all[choice[j]] / sample.stepSeconds();
      }
      ones[i] = 1;
    }
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    double[] costs = new double[4];
    try {
      regression.newSampleData(ones, loads);
      double[] found = regression.estimateRegressionParameters();
      for (int j = 0; j < choice.length; j++) {
        if (!(found[j] >= 0)) {
          return new double[0];
        }
        costs[choice[j]] = found[j];
      }
      return costs;
    } catch (SingularMatrixException e) {
      return new double[0];
    }
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
