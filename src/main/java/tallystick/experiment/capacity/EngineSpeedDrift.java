package tallystick.experiment.capacity;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * How fast the engine was in each of several probes, and how much work their requests were. Both
 * are told by what the steps cost: of a request like the mean one of all, beside as many others.
 *
 * @param slowness what a request took in each probe, over what it took in the middle one
 * @param work of each probe's requests, over the mean of all
 */
record EngineSpeedDrift(double[] slowness, double[] work) {
  /** An engine that is always as fast, or one that nothing is known of. */
  static final EngineSpeedDrift STEADY = new EngineSpeedDrift(new double[0], new double[0]);

  /** The linear approximation of the log odds holds only for shifts up to 20 %. */
  private static final double MOST_SHIFT = 0.2;

  /** Keeps the logarithm of a step without cost finite. */
  private static final double LEAST_SECONDS = 1e-12;

  /** Of probes whose crowding is known. */
  static EngineSpeedDrift of(List<ArrivalBurstinessCorrection> probes) {
    ArrivalBurstinessCorrection.Request mean =
        new ArrivalBurstinessCorrection.Request(
            mean(probes, one -> one.request().promptTokens()),
            mean(probes, one -> one.request().outputTokens()));
    double running = Math.max(1, mean(probes, ArrivalBurstinessCorrection::running));
    double[] prompts =
        probes.stream().mapToDouble(one -> promptSeconds(one.costs(), mean)).toArray();
    double[] outputs =
        probes.stream().mapToDouble(one -> outputSeconds(one.costs(), mean, running)).toArray();
    double[] logs =
        IntStream.range(0, prompts.length)
            .mapToDouble(i -> Math.log(Math.max(LEAST_SECONDS, prompts[i] + outputs[i])))
            .toArray();
    double middle = Arrays.stream(logs).average().orElse(0);
    double share = Arrays.stream(outputs).sum()
        / (Arrays.stream(outputs).sum() + Arrays.stream(prompts).sum());
    return new EngineSpeedDrift(
        Arrays.stream(logs).map(log -> Math.exp(log - middle)).toArray(),
        probes.stream()
            .mapToDouble(
                one ->
                    (1 - share) * over(one.request().promptTokens(), mean.promptTokens())
                        + share * over(one.request().outputTokens(), mean.outputTokens()))
            .toArray());
  }

  private static double over(double value, double mean) {
    return mean == 0 ? 1 : value / mean;
  }

  private static double mean(
      List<ArrivalBurstinessCorrection> probes, ToDoubleFunction<ArrivalBurstinessCorrection> of) {
    return probes.stream().mapToDouble(of).average().orElse(0);
  }

  private static double promptSeconds(
      InferredEngineModel.Costs costs, ArrivalBurstinessCorrection.Request one) {
    return one.promptTokens()
        * (costs.promptToken() + costs.promptPair() * one.promptTokens() / 2);
  }

  /** A step's own cost is shared by those that run at once. */
  private static double outputSeconds(
      InferredEngineModel.Costs costs, ArrivalBurstinessCorrection.Request one, double running) {
    return one.outputTokens()
        * (costs.sequence()
            + costs.contextToken() * (one.promptTokens() + one.outputTokens() / 2)
            + costs.step() / running);
  }

  /** What a probe's rate counts times: its requests' work, and how slow its engine was. */
  double factor(int probe) {
    return work[probe] * slowness[probe];
  }

  /** What a request took in the slowest probe over what it took in the fastest. */
  double slowestOverFastest() {
    double slowest = Arrays.stream(slowness).max().orElse(1);
    return slowest / Arrays.stream(slowness).min().orElse(1);
  }

  /** Variance of the speeds' logarithms. */
  private double variance() {
    return slowness.length < 2
        ? 0
        : Arrays.stream(slowness).map(one -> Math.log(one) * Math.log(one)).sum()
            / (slowness.length - 1);
  }

  /**
   * How far the rate that holds over runs of all speeds lies below that of the middle one, as a
   * logarithm: slow runs lose more requests than fast ones gain.
   *
   * @param slope of the odds of a bad request over the rate, both as logarithms
   */
  double shift(double slope) {
    return Math.min(MOST_SHIFT, slope * variance() / 2);
  }

  /** How far the middle speed of all runs may lie from that of these, as a logarithm. */
  double apart(double confidence) {
    int runs = slowness.length;
    return variance() == 0
        ? 0
        : new TDistribution(null, runs - 1).inverseCumulativeProbability((1 + confidence) / 2)
            * Math.sqrt(variance() / runs);
  }
}
