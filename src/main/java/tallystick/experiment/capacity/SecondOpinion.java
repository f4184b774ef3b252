package tallystick.experiment.capacity;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import tallystick.analysis.statistics.BlockBootstrap;
import tallystick.experiment.Rates;

/**
 * The capacity as plain logistic regression gives it: the odds of a good request over the logarithm
 * of the rate, each request of one worth, and nothing known beforehand. It decides nothing. Where
 * it lies far from the answer, the answer rests on how runs usually differ and not on these runs.
 *
 * @param perSecond rate at which the asked share of requests is good
 * @param low lower end of a 95 % interval from runs drawn anew; NaN where too few draws tell
 * @param high its upper end
 */
record SecondOpinion(double perSecond, double low, double high) {
  static final int FEWEST = 4;

  /** How far apart two opinions may lie before it is said. */
  private static final double APART = 0.05;

  private static final double NEAR = 1.25;
  private static final int ROUNDS = 60;
  private static final double SETTLED = 1e-10;
  private static final double LARGEST_STEP = 2;
  private static final double LEAST_TOLD = 0.9;

  /** The opinion on these runs about a rate; NaN where they do not cross the asked share. */
  static SecondOpinion of(List<ProbeResult> probes, double share, double about) {
    List<ProbeResult> near =
        probes.stream()
            .filter(one -> one.isTrusted() && one.judged() > 0)
            .filter(one -> one.probe().purpose() != Probe.Purpose.BRACKET)
            .filter(one -> one.probe().perSecond() <= about * NEAR)
            .filter(one -> one.probe().perSecond() >= about / NEAR)
            .toList();
    if (near.size() < FEWEST) {
      return new SecondOpinion(Double.NaN, Double.NaN, Double.NaN);
    }
    BlockBootstrap random = new BlockBootstrap(BlockBootstrap.SEED);
    double[] drawn =
        IntStream.range(0, BlockBootstrap.RESAMPLES)
            .mapToObj(i -> Arrays.stream(random.positions(near.size())).mapToObj(near::get))
            .mapToDouble(runs -> crossing(runs.toList(), share, about))
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    boolean isTold = drawn.length >= LEAST_TOLD * BlockBootstrap.RESAMPLES;
    return new SecondOpinion(
        crossing(near, share, about),
        isTold ? BlockBootstrap.quantile(drawn, 0.025) : Double.NaN,
        isTold ? BlockBootstrap.quantile(drawn, 0.975) : Double.NaN);
  }

  boolean isKnown() {
    return Double.isFinite(perSecond);
  }

  /** What it says, or that it says nothing. */
  String words() {
    String span =
        Double.isFinite(low)
            ? String.format(
                Locale.ROOT, " (95 %% interval %s to %s)", Rates.text(low), Rates.text(high))
            : "";
    return "Plain logistic regression: "
        + (isKnown()
            ? "the capacity is " + Rates.text(perSecond) + "/s" + span
            : "n/a (needs " + FEWEST + " long runs on both sides of the capacity)");
  }

  /** What it says where it lies far from an answer; empty where it agrees or knows nothing. */
  String disagreement(OptionalDouble answer) {
    if (!isKnown() || answer.isEmpty()) {
      return "";
    }
    double off = perSecond / answer.getAsDouble() - 1;
    return Math.abs(off) <= APART
        ? ""
        : String.format(
            Locale.ROOT, "plain logistic regression says %s/s, %.0f %% %s",
            Rates.text(perSecond), Math.abs(100 * off), off > 0 ? "higher" : "lower");
  }

  /** Where the curve of these runs crosses the share; NaN where it does not fall, or has no end. */
  private static double crossing(List<ProbeResult> runs, double share, double about) {
    double height = 0;
    double slope = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Sums sums = new Sums();
      for (ProbeResult run : runs) {
        sums.add(run, Math.log(run.probe().perSecond() / about), height, slope);
      }
      double whole = sums.flat * sums.steep - sums.both * sums.both;
      if (!(whole > 0)) {
        return Double.NaN;
      }
      double up = (sums.steep * sums.lack - sums.both * sums.tilt) / whole;
      double turn = (sums.flat * sums.tilt - sums.both * sums.lack) / whole;
      // Far from the best the curve is flat, and a whole step would overshoot.
      double kept = Math.min(1, LARGEST_STEP / Math.max(Math.abs(up), Math.abs(turn) / NEAR));
      height += kept * up;
      slope += kept * turn;
      if (Math.abs(up) + Math.abs(turn) < SETTLED) {
        double at = about * Math.exp((Math.log(share / (1 - share)) - height) / slope);
        return slope < 0 && at > about / (NEAR * NEAR) && at < about * NEAR * NEAR
            ? at
            : Double.NaN;
      }
    }
    return Double.NaN;
  }

  /** What Newton's method needs of all runs: first and second slopes of the likelihood. */
  private static final class Sums {
    private double lack;
    private double tilt;
    private double flat;
    private double both;
    private double steep;

    void add(ProbeResult run, double log, double height, double slope) {
      double said = 1 / (1 + Math.exp(-(height + slope * log)));
      double missing = run.good() - run.judged() * said;
      double weight = run.judged() * said * (1 - said);
      lack += missing;
      tilt += missing * log;
      flat += weight;
      both += weight * log;
      steep += weight * log * log;
    }
  }
}
