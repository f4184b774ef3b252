package tallystick.experiment.tune;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import tallystick.analysis.result.Strength;
import tallystick.experiment.regress.ComparedRun;

/**
 * The shares of good requests that cells were measured with. Runs of few requests may agree by
 * chance: then their spread hides how far a share of so few wanders by itself.
 *
 * @param measured [block][cell]
 * @param requests of each cell, all blocks together
 * @param target what a cell must hold
 */
record SloAttainment(double[][] measured, long[] requests, double target) {

  /** How much wider resamples of as many blocks must be. */
  double widening() {
    return SmallSampleStatistics.widening(measured.length, measured.length - 1);
  }

  /** Whether a cell holds the target if its blocks had come out otherwise. */
  boolean mayHold(int cell, int[] drawn, double widening, SplittableRandom random) {
    double[] own = Arrays.stream(measured).mapToDouble(block -> block[cell]).toArray();
    double moved = SmallSampleStatistics.redrawn(own, drawn, widening);
    return moved + error(target, requests[cell]) * random.nextGaussian() >= target;
  }

  /** The standard error of a share of so many requests, were it just the target. */
  private static double error(double target, long requests) {
    return Math.sqrt(target * (1 - target) / Math.max(1, requests));
  }

  /**
   * By how much the mean share of these runs may be off, at a level of one side; not a number for
   * a single run.
   */
  static double reach(List<ComparedRun> runs, double target, double level) {
    double[] shares = runs.stream().mapToDouble(TunedMetric::goodShare).toArray();
    double errors = new NormalDistribution().inverseCumulativeProbability(level);
    double few = errors * error(target, requests(runs));
    return Math.hypot(SmallSampleStatistics.reach(shares, level), few);
  }

  /** How probably these runs hold the target in the long run; not a number for a single one. */
  static double chance(List<ComparedRun> runs, double target) {
    return runs.size() < 2 ? Double.NaN : chance(runs, target, runs.size());
  }

  private static double chance(List<ComparedRun> runs, double target, int times) {
    double[] shares = runs.stream().mapToDouble(TunedMetric::goodShare).toArray();
    double error =
        Math.hypot(SmallSampleStatistics.error(shares), error(target, requests(runs)));
    return SmallSampleStatistics.chance(
        SmallSampleStatistics.mean(shares) - target,
        error * Math.sqrt((double) shares.length / times), times);
  }

  /**
   * So many runs like these would likely tell.
   *
   * @param most further ones that anybody plays
   */
  static int runsNeeded(List<ComparedRun> runs, double target, int most) {
    return IntStream.range(runs.size() + 1, runs.size() + most)
        .filter(
            times -> {
              double chance = chance(runs, target, times);
              return Strength.of(Math.max(chance, 1 - chance)) != Strength.TOO_CLOSE;
            })
        .findFirst()
        .orElse(runs.size() + most);
  }

  static long requests(List<ComparedRun> runs) {
    return runs.stream().mapToLong(run -> run.load().requests()).sum();
  }
}
