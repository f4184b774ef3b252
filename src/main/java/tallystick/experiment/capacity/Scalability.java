package tallystick.experiment.capacity;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.math3.exception.MathIllegalStateException;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresBuilder;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresOptimizer;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.fitting.leastsquares.MultivariateJacobianFunction;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.linear.SingularMatrixException;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;
import org.apache.commons.math3.util.Pair;
import tallystick.experiment.Rates;

/**
 * Throughput over the requests in flight by the Universal Scalability Law (Gunther): {@code X(N) =
 * alone N / (1 + contention (N - 1) + crosstalk N (N - 1))}. It speaks of where throughput levels
 * off or falls, not of latency and not of a cache that is full. Relative errors count alike.
 *
 * @param alone requests per second with one in flight
 * @param contention share of the work that waits for its turn, 0 to 1
 * @param crosstalk share that each pair of requests costs, 0 to 1
 * @param off root mean square of the relative errors
 * @param mostInFlight most requests in flight that were measured
 * @param mostPerSecond largest throughput that was measured
 */
record Scalability(
    double alone,
    double contention,
    double crosstalk,
    double off,
    double mostInFlight,
    double mostPerSecond) {
  static final int FEWEST = 6;
  private static final double FARTHEST_FIT = 0.05;
  private static final double FARTHEST_PEAK = 1.5;
  private static final double KNEES = 2;
  private static final double LEAST_START = 1e-6;
  private static final int ROUNDS = 2000;
  private static final int STEPS = 3;
  private static final double TINY = 1e-7;

  /**
   * One run.
   *
   * @param inFlight mean requests in flight
   * @param perSecond requests answered per second
   */
  record Point(double inFlight, double perSecond) {}

  /** Throughput beyond which more in flight only slows it down. */
  record Peak(double inFlight, double perSecond) {}

  /** The law through these runs; none where they are too few, or no law fits. */
  static Optional<Scalability> of(List<Point> points) {
    if (points.size() < FEWEST) {
      return Optional.empty();
    }
    try {
      return Optional.of(fit(points));
    } catch (SingularMatrixException | MathIllegalStateException e) {
      return Optional.empty();
    }
  }

  /** What runs that may be used carried; those that were stopped early have no throughput. */
  static List<Point> points(List<ProbeResult> probes) {
    return probes.stream()
        .filter(ProbeResult::isTrusted)
        .filter(one -> one.load().completedPerSecond() > 0 && one.load().meanInFlight() > 0)
        .map(one -> new Point(one.load().meanInFlight(), one.load().completedPerSecond()))
        .toList();
  }

  /** What the law says of these runs, or why it says nothing. */
  static String words(List<Point> points) {
    return "Universal Scalability Law: "
        + (points.size() < FEWEST
            ? "n/a (n=" + points.size() + ", need " + FEWEST + ")"
            : of(points).map(Scalability::words).orElse("n/a (no such law fits these runs)"));
  }

  /** The peak, where the runs reach far enough to tell it. */
  Optional<Peak> peak() {
    if (!refusal().isEmpty()) {
      return Optional.empty();
    }
    double most = peakInFlight();
    return Optional.of(new Peak(most, at(most)));
  }

  double at(double inFlight) {
    return alone * inFlight
        / (1 + contention * (inFlight - 1) + crosstalk * inFlight * (inFlight - 1));
  }

  private double peakInFlight() {
    return crosstalk == 0 ? Double.POSITIVE_INFINITY : Math.sqrt((1 - contention) / crosstalk);
  }

  /** Why no peak is told; empty where one is. */
  private String refusal() {
    if (off > FARTHEST_FIT) {
      return String.format(Locale.ROOT, "n/a (the fit is off by %.1f %%)", 100 * off);
    }
    double needed = KNEES * mostPerSecond / alone;
    if (mostInFlight < needed) {
      return String.format(
          Locale.ROOT, "n/a (at most %s in flight, need %s)", Rates.text(mostInFlight),
          Rates.text(needed));
    }
    return peakInFlight() > FARTHEST_PEAK * mostInFlight
        ? String.format(
            Locale.ROOT, "no peak up to %s in flight; at most %s/s were answered",
            Rates.text(mostInFlight), Rates.text(mostPerSecond))
        : "";
  }

  private String words() {
    return peak()
        .map(
            peak ->
                String.format(
                    Locale.ROOT,
                    "throughput peaks at %s/s with %s in flight (contention %.2g %%, crosstalk"
                        + " %.2g %%, off by %.1f %%)",
                    Rates.text(peak.perSecond()), Rates.text(peak.inFlight()), 100 * contention,
                    100 * crosstalk, 100 * off))
        .orElseGet(this::refusal);
  }

  private static Scalability fit(List<Point> points) {
    double[] start = start(points);
    MultivariateJacobianFunction model = at -> model(points, at);
    double[] ones = new double[points.size()];
    Arrays.fill(ones, 1);
    LeastSquaresOptimizer.Optimum best =
        new LevenbergMarquardtOptimizer()
            .optimize(
                new LeastSquaresBuilder()
                    .start(start)
                    .model(model)
                    .target(ones)
                    .maxEvaluations(ROUNDS)
                    .maxIterations(ROUNDS)
                    .lazyEvaluation(false)
                    .build());
    double[] found = best.getPoint().toArray();
    Scalability law = law(found, 0, points);
    return law(
        found,
        Math.sqrt(
            points.stream()
                .mapToDouble(one -> Math.pow(law.at(one.inFlight()) / one.perSecond() - 1, 2))
                .average()
                .orElseThrow()),
        points);
  }

  /** The law of three free numbers: squares of sines keep both shares within 0 and 1. */
  private static Scalability law(double[] free, double off, List<Point> points) {
    return new Scalability(
        Math.exp(free[0]), Math.pow(Math.sin(free[1]), 2), Math.pow(Math.sin(free[2]), 2), off,
        points.stream().mapToDouble(Point::inFlight).max().orElseThrow(),
        points.stream().mapToDouble(Point::perSecond).max().orElseThrow());
  }

  /** Least squares of N / X on 1, N - 1 and N (N - 1), moved inside the bounds. */
  private static double[] start(List<Point> points) {
    OLSMultipleLinearRegression line = new OLSMultipleLinearRegression();
    line.setNoIntercept(true);
    line.newSampleData(
        points.stream().mapToDouble(one -> one.inFlight() / one.perSecond()).toArray(),
        points.stream()
            .map(Point::inFlight)
            .map(n -> new double[] {1, n - 1, n * (n - 1)})
            .toArray(double[][]::new));
    double[] found = line.estimateRegressionParameters();
    double first = points.get(0).perSecond() / points.get(0).inFlight();
    double each = found[0] > 0 ? found[0] : 1 / first;
    return new double[] {-Math.log(each), angle(found[1] / each), angle(found[2] / each)};
  }

  private static double angle(double share) {
    return Math.asin(Math.sqrt(Math.max(LEAST_START, Math.min(1 - LEAST_START, share))));
  }

  /** Said over measured throughput, and how it moves with each free number. */
  private static Pair<RealVector, RealMatrix> model(
      List<Point> points, RealVector at) {
    double[] free = at.toArray();
    double[] said = ratios(points, free);
    double[][] slopes = new double[points.size()][STEPS];
    for (int k = 0; k < STEPS; k++) {
      double[] moved = free.clone();
      moved[k] += TINY;
      double[] there = ratios(points, moved);
      for (int i = 0; i < said.length; i++) {
        slopes[i][k] = (there[i] - said[i]) / TINY;
      }
    }
    return new Pair<>(
        new ArrayRealVector(said, false), new Array2DRowRealMatrix(slopes, false));
  }

  private static double[] ratios(List<Point> points, double[] free) {
    Scalability law = law(free, 0, points);
    return points.stream()
        .mapToDouble(one -> law.at(one.inFlight()) / one.perSecond())
        .toArray();
  }
}
