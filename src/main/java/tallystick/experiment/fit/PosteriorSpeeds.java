package tallystick.experiment.fit;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * How fast the engine may be in a run to come: as Student's t predicts one more value from the
 * logarithms of what the fitted runs took over what their common costs say. Where the speed moved
 * within the runs, their means may agree by chance: a run to come may be throughout as they were
 * for some seconds.
 *
 * @param logs of each fitted run
 * @param within standard deviation of the same over seconds of these runs
 */
record PosteriorSpeeds(double[] logs, double within) {
  /** Fewer runs tell nothing of how a run differs from another. */
  static final int FEWEST = 2;

  /** Beyond this factor the runs tell nothing of a run to come. */
  private static final double MOST = 3;

  /** No costs give a run's times more exactly than this, as a logarithm. */
  private static final double LEAST = 0.015;

  /** Why there are none; empty where there are. */
  String doubt() {
    if (logs.length < FEWEST) {
      return "one run, need " + FEWEST;
    }
    return last(1) > MOST ? "runs differ too much" : "";
  }

  /** Factors on an engine's times, at the middles of equal parts of their chance. */
  double[] factors(int count) {
    return DoubleStream.iterate(0.5 / count, level -> level + 1.0 / count)
        .limit(count)
        .map(this::at)
        .toArray();
  }

  /** The factor that one in twenty runs is beyond. */
  private double last(int tails) {
    return at(1 - tails * 0.05);
  }

  private double at(double level) {
    double between = Arrays.stream(logs).map(log -> log * log).sum() / (logs.length - 1);
    double student =
        new TDistribution(null, logs.length - 1).inverseCumulativeProbability(level);
    double normal = new NormalDistribution(null, 0, 1).inverseCumulativeProbability(level);
    double runs = student * Math.sqrt(between);
    double seconds = normal * Math.max(within, LEAST);
    double wider = Math.abs(runs) > Math.abs(seconds) ? runs : seconds;
    return Math.exp(wider * Math.sqrt(1 + 1.0 / logs.length));
  }
}
