package tallystick.experiment.capacity;

import java.util.List;

/**
 * A scale on which the odds of a bad request rise evenly with the logarithm of the rate. Over the
 * rates themselves they need not: where a few long answers break a limit at any rate, the odds rise
 * slowly below the knee and fast beyond it, and a straight line through runs on both sides crosses
 * the allowed share at too low a rate. How they rise is read from the usual schedules on the
 * server.
 */
final class LogOddsTransform {
  /** How steep such curves are before any run is seen: 95 in 100 lie between 8 and 53. */
  static final double USUAL_SLOPE = 20;

  /** The rates themselves. */
  static final LogOddsTransform PLAIN = new LogOddsTransform(new double[0], new double[0]);

  /** Of the table from the lowest to the highest rate: each is about 1 % of a rate. */
  private static final int STEPS = 60;

  /** Keeps the scale rising where the odds do not, so that each place has one rate. */
  private static final double LEAST_RISE = 1e-3;

  /** The slope is taken over 1 % of a rate, the width of a step of the table. */
  private static final double CLOSE = 1.01;

  private final double[] logRates;
  private final double[] heights;

  private LogOddsTransform(double[] logRates, double[] heights) {
    this.logRates = logRates;
    this.heights = heights;
  }

  /** Of runs whose crowding is known, at least one. */
  static LogOddsTransform of(List<ProbeResult> runs) {
    double[] ends =
        runs.stream().mapToDouble(one -> Math.log(one.probe().perSecond())).sorted().toArray();
    double from = ends[0] + Math.log(ArrivalBurstinessCorrection.FACTORS[0]);
    double to =
        ends[ends.length - 1]
            + Math.log(
                ArrivalBurstinessCorrection.FACTORS[
                    ArrivalBurstinessCorrection.FACTORS.length - 1]);
    double[] logRates = new double[STEPS + 1];
    double[] heights = new double[STEPS + 1];
    for (int i = 0; i <= STEPS; i++) {
      double at = from + (to - from) * i / STEPS;
      double odds =
          runs.stream().mapToDouble(one -> logOdds(one, at)).average().orElseThrow();
      double height = odds / USUAL_SLOPE;
      double least = i == 0 ? height : heights[i - 1] + LEAST_RISE * (to - from) / STEPS;
      logRates[i] = at;
      heights[i] = Math.max(height, least);
    }
    return new LogOddsTransform(logRates, heights);
  }

  private static double logOdds(ProbeResult run, double logRate) {
    double[] logs = new double[ArrivalBurstinessCorrection.FACTORS.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = Math.log(run.probe().perSecond() * ArrivalBurstinessCorrection.FACTORS[i]);
    }
    double[] odds =
        run.crowding().usualLogOdds().stream().mapToDouble(Double::doubleValue).toArray();
    return along(logs, odds, logRate);
  }

  /** The place of a rate on the scale. */
  double even(double perSecond) {
    return logRates.length == 0
        ? perSecond
        : Math.exp(along(logRates, heights, Math.log(perSecond)));
  }

  /** The rate at a place. */
  double perSecond(double even) {
    return logRates.length == 0 ? even : Math.exp(along(heights, logRates, Math.log(even)));
  }

  /** How much a place moves where the rate does, both in logarithms. */
  double stretch(double perSecond) {
    return Math.log(even(perSecond * CLOSE) / even(perSecond)) / Math.log(CLOSE);
  }

  /** Straight lines through points, the first and the last one beyond their ends. */
  private static double along(double[] x, double[] y, double at) {
    int left = 0;
    while (left < x.length - 2 && x[left + 1] < at) {
      left++;
    }
    double part = (at - x[left]) / (x[left + 1] - x[left]);
    return y[left] + part * (y[left + 1] - y[left]);
  }
}
