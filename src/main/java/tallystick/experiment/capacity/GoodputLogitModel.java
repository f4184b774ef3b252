package tallystick.experiment.capacity;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.apache.commons.math3.special.Erf;

/**
 * The share of bad requests as a curve over the rate, from all probes at once: the logarithm of its
 * odds rises in proportion to the logarithm of the rate. Each probe is one observation, because
 * bursts strike many requests at once; what is known of slopes and of bursts before any probe is
 * seen counts beside them. Every curve is weighed by how likely it makes the probes.
 *
 * <p>The curve is straight only near the capacity. A probe far from it says only that fewer than a
 * few are bad there, or that more than one in five are.
 */
final class GoodputLogitModel {
  /**
   * Seen between .9 and 1.1 times the capacity: 11 to 29 on seven simulated engines, 19 to 41 on a
   * vLLM. With few probes the slope is mostly this one.
   */
  private static final double USUAL_SLOPE = 20;

  /** Standard deviation of the slope's logarithm: 95 in 100 lie between 8 and 48. */
  private static final double SLOPE_SPREAD = 0.45;

  /**
   * How far runs of {@link #USUAL_SECONDS} with as many arrivals lie apart: at one bad request in a
   * hundred this is 1.1 times the mean of their number, at five in a hundred 0.7 times.
   */
  private static final double USUAL_BURSTS = 0.12;

  /** Standard deviation of the logarithm of the bursts: engines differ by a factor of three. */
  private static final double BURSTS_SPREAD = 0.6;

  /** The length of runs of which the usual bursts are told. */
  private static final double USUAL_SECONDS = 150;

  /** Straight between 0.1 and 20 % bad on every simulated engine; beyond, the engine drowns. */
  private static final double STRAIGHT = 0.2;

  /** So many times the allowed odds of a bad request are still near, whatever share is asked. */
  private static final double NEAR_ODDS = 3;

  /** A share so many times smaller than allowed tells no more than that it is small. */
  private static final double FEW = 8;

  /**
   * A curve is no closer to an engine than this part of a rate: with 0.02 intervals of half an hour
   * held the truth in 88 of 100 searches, with this in 91.
   */
  private static final double EXACT = 0.025;

  /** A share that was asked for in decimals is met by as many in binary. */
  private static final double ROUNDING = 1e-9;

  /** From the probes' bracket on: what lies beyond is no use. */
  private static final double FARTHEST = 2;

  /** Rates, slopes and bursts that are weighed; twice as many of each moved no rate by 0.1 %. */
  private static final int RATES = 60;

  /** Points of the grid over the slope: the likelihood is smooth, and each costs time. */
  private static final int SLOPES = 11;

  /** Points of the grid over the spread between runs, as for the slope. */
  private static final int BURSTS = 7;

  /** Standard deviations from the usual that slopes and bursts are weighed to. */
  private static final double REACH = 3;

  /** Beyond these parts of all weight, rates are not looked at more closely. */
  private static final double NOTHING = 1e-4;

  private final double[] logRates;
  private final double[] weights;
  private final double slope;

  /**
   * One probe.
   *
   * @param perSecond the mean rate that was asked for
   * @param arrivals that came in fact; 0 where nobody counted them
   * @param seconds that it measured
   * @param judged requests, above 0
   * @param bad those of them that broke a limit
   */
  record Point(double perSecond, long arrivals, double seconds, long judged, long bad) {
    double badShare() {
      return (double) bad / judged;
    }

    /**
     * The logarithm of the mean rate at which as many are bad as at this probe's arrivals. A mean
     * rate brings more of them to one run than to another, and the busier runs outweigh: the mean
     * of exp(slope x), where x is normal with a variance of 1 / arrivals, is exp(slope² / 2
     * arrivals).
     */
    double logRate(double slope) {
      return arrivals == 0
          ? Math.log(perSecond)
          : Math.log(arrivals / seconds) - slope / 2 / arrivals;
    }
  }

  private GoodputLogitModel(double[] logRates, double[] weights, double slope) {
    this.logRates = logRates;
    this.weights = weights;
    this.slope = slope;
  }

  /** The curve; none where no rate held, or none failed. */
  static Optional<GoodputLogitModel> of(List<ProbeResult> probes, double badShare) {
    return through(
        probes.stream()
            .filter(one -> one.isTrusted() && one.judged() > 0)
            .map(
                one ->
                    new Point(
                        one.probe().perSecond(), one.load().arrivals(), one.measuredSeconds(),
                        one.judged(), one.judged() - one.good()))
            .toList(),
        badShare);
  }

  /** The curve through probes; none where no rate held, or none failed. */
  static Optional<GoodputLogitModel> through(List<Point> points, double badShare) {
    double fails = Double.POSITIVE_INFINITY;
    double holds = 0;
    for (Point one : points) {
      if (one.badShare() > badShare + ROUNDING) {
        fails = Math.min(fails, one.perSecond());
      } else {
        holds = Math.max(holds, one.perSecond());
      }
    }
    if (holds == 0 || Double.isInfinite(fails)) {
      return Optional.empty();
    }
    GoodputLogitModel wide =
        weighed(
            points, badShare, Math.log(Math.min(holds, fails) / FARTHEST),
            Math.log(Math.max(holds, fails) * FARTHEST));
    double step = wide.logRates[1] - wide.logRates[0];
    return Optional.of(
        weighed(
            points, badShare, wide.logRateAt(NOTHING) - step, wide.logRateAt(1 - NOTHING) + step));
  }

  private static GoodputLogitModel weighed(
      List<Point> points, double badShare, double from, double to) {
    double[] logRates = even(from, to, RATES);
    double[] slopes = even(-REACH, REACH, SLOPES);
    double[] bursts = even(-REACH, REACH, BURSTS);
    double[][][] logs = new double[RATES][SLOPES][BURSTS];
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < RATES; i++) {
      for (int j = 0; j < SLOPES; j++) {
        double slope = USUAL_SLOPE * Math.exp(SLOPE_SPREAD * slopes[j]);
        double at = logRates[i];
        DoubleUnaryOperator share =
            logRate -> 1 / (1 + Math.exp(-logit(badShare) - slope * (logRate - at)));
        for (int k = 0; k < BURSTS; k++) {
          double spread = USUAL_BURSTS * Math.exp(BURSTS_SPREAD * bursts[k]);
          double log = -(slopes[j] * slopes[j] + bursts[k] * bursts[k]) / 2;
          for (Point point : points) {
            double bad = share.applyAsDouble(point.logRate(slope));
            log += logLikelihood(point, bad, spread, badShare);
          }
          logs[i][j][k] = log;
          most = Math.max(most, log);
        }
      }
    }
    double[] weights = new double[RATES];
    double sum = 0;
    double slopeSum = 0;
    for (int i = 0; i < RATES; i++) {
      for (int j = 0; j < SLOPES; j++) {
        for (double log : logs[i][j]) {
          double weight = Math.exp(log - most);
          weights[i] += weight;
          slopeSum += weight * slopes[j];
        }
      }
      sum += weights[i];
    }
    for (int i = 0; i < RATES; i++) {
      weights[i] /= sum;
    }
    double steep = USUAL_SLOPE * Math.exp(SLOPE_SPREAD * slopeSum / sum);
    return new GoodputLogitModel(logRates, weights, steep);
  }

  private static double[] even(double from, double to, int count) {
    return IntStream.range(0, count).mapToDouble(i -> from + (to - from) * i / (count - 1))
        .toArray();
  }

  /**
   * How likely a share makes what a probe showed. Bad requests come in bursts, and more load brings
   * both more bursts and larger ones: the variance of their number grows with the power 1.5 of its
   * mean, as that of a compound Poisson variable does (Tweedie). On roots it hardly depends on it.
   */
  private static double logLikelihood(
      Point point, double share, double spread, double allowed) {
    double perRun = spread * USUAL_SECONDS / point.seconds();
    double deviation = Math.sqrt((perRun * Math.sqrt(share) + 1.0 / point.judged()) / 4);
    double nearOdds = NEAR_ODDS * allowed / (1 - allowed);
    double most = Math.max(STRAIGHT, nearOdds / (1 + nearOdds));
    double least = Math.max(allowed / FEW, 1.0 / point.judged());
    // The mean of squares is the square of the mean and the variance: a root lies lower on average.
    double root = Math.sqrt(Math.max(0, share - deviation * deviation));
    if (point.badShare() >= most) {
      return logBelow((root - Math.sqrt(most)) / deviation);
    }
    if (point.badShare() <= least) {
      return logBelow((Math.sqrt(least) - root) / deviation);
    }
    double off = (Math.sqrt(point.badShare()) - root) / deviation;
    return -off * off / 2 - Math.log(deviation);
  }

  /** The log of the normal distribution, whose far end is cut: one probe rules out nothing. */
  private static double logBelow(double deviations) {
    return Math.log(Math.max(1e-12, Erf.erfc(-deviations / Math.sqrt(2)) / 2));
  }

  private static double logit(double share) {
    return Math.log(share / (1 - share));
  }

  /** The rate below which that part of all weight lies, as a logarithm. */
  private double logRateAt(double part) {
    double below = 0;
    for (int i = 0; i < weights.length; i++) {
      if (below + weights[i] >= part) {
        double step = logRates[1] - logRates[0];
        return logRates[i] + step * ((part - below) / weights[i] - 0.5);
      }
      below += weights[i];
    }
    return logRates[logRates.length - 1];
  }

  /** The rate that is likeliest to be just the largest one that holds: as many lie below it. */
  double rate() {
    return Math.exp(logRateAt(0.5));
  }

  /** How fast the logarithm of the odds of a bad request rises with that of the rate. */
  double slope() {
    return slope;
  }

  /** The rates between which it lies with a probability. */
  RateInterval span(double confidence) {
    double middle = logRateAt(0.5);
    double low = middle - logRateAt((1 - confidence) / 2);
    double high = logRateAt((1 + confidence) / 2) - middle;
    double rate = rate();
    return new RateInterval(
        rate / Math.exp(Math.hypot(low, EXACT)), rate * Math.exp(Math.hypot(high, EXACT)));
  }
}
