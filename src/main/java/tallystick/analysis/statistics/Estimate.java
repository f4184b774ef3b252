package tallystick.analysis.statistics;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;

/**
 * A figure of one period, and how far each of its scrape intervals pulls it: figures that are sums
 * and differences of one another keep what they share, so that their intervals are right.
 *
 * @param value the figure; NaN where nothing is known
 * @param pulls one for each scrape interval, in the figure's unit; they add up to 0
 * @param drifts whether the period drifts by itself, as a queue beyond capacity does: its straight
 *     drift is then what it is, no error
 */
public record Estimate(double value, double[] pulls, boolean drifts) {
  /** Schmeiser 1982: beyond 30 batches an interval hardly narrows. */
  private static final int MOST_BATCHES = 30;

  /** Schmeiser 1982: below 10 batches an interval is wide and its width unsure. */
  private static final int FEWEST_BATCHES = 10;

  /** Batches whose pulls follow one another more than this are too short. */
  private static final double INDEPENDENT = 0.3;

  /** A longer memory cannot be told from so few batches. */
  private static final double LONGEST_MEMORY = 0.7;

  private static final double LEVEL = 0.975; // Two-sided 95 %

  /** Sum over count, of sums and counts per scrape interval. */
  public static Estimate ratio(double[] sums, double[] counts, boolean drifts) {
    double count = Arrays.stream(counts).sum();
    double value = count > 0 ? Arrays.stream(sums).sum() / count : Double.NaN;
    double[] pulls = new double[sums.length];
    Arrays.setAll(pulls, i -> (sums[i] - value * counts[i]) / count);
    return new Estimate(value, pulls, drifts);
  }

  public Estimate plus(Estimate other) {
    return combined(value + other.value, 1, other, 1);
  }

  public Estimate minus(Estimate other) {
    return combined(value - other.value, 1, other, -1);
  }

  /** A figure whose slopes by this one and by another are known; for small deviations. */
  public Estimate combined(double newValue, double slope, Estimate other, double otherSlope) {
    double[] both = new double[pulls.length];
    Arrays.setAll(both, i -> slope * pulls[i] + otherSlope * other.pulls[i]);
    return new Estimate(newValue, both, drifts);
  }

  public boolean isKnown() {
    return !Double.isNaN(value);
  }

  /**
   * This figure less the same of another period, with a 95 % interval over batches of time.
   *
   * @param reference the other period's
   */
  public Interval riseFrom(Estimate reference) {
    double rise = value - reference.value;
    if (Double.isNaN(rise)) {
      return Interval.missing("not known of both stretches");
    }
    Spread here = spread();
    Spread there = reference.spread();
    if (here.batches == 0 || there.batches == 0) {
      String why = "too few scrape intervals";
      return new Interval(Figure.of(rise), Figure.missing(why), Figure.missing(why));
    }
    double variance = here.variance + there.variance;
    if (variance == 0) {
      return Interval.of(rise, rise, rise);
    }
    double freedom =
        variance * variance
            / (here.variance * here.variance / (here.batches - 1)
                + there.variance * there.variance / (there.batches - 1));
    double half =
        new TDistribution(null, freedom).inverseCumulativeProbability(LEVEL)
            * Math.sqrt(variance);
    return Interval.of(rise, rise - half, rise + half);
  }

  /** Standard error over batches of time; NaN where there are too few. */
  public double error() {
    Spread spread = spread();
    return spread.batches == 0 ? Double.NaN : Math.sqrt(spread.variance);
  }

  private record Spread(double variance, int batches) {}

  private Spread spread() {
    if (pulls.length < FEWEST_BATCHES) {
      return new Spread(Double.NaN, 0);
    }
    int batches = Math.min(MOST_BATCHES, pulls.length);
    double[] batched = batched(batches);
    while (batches > FEWEST_BATCHES && SteadyMean.autocorrelation(batched) > INDEPENDENT) {
      batches--;
      batched = batched(batches);
    }
    double memory = SteadyMean.autocorrelation(batched);
    double left = Math.max(0, Math.min(LONGEST_MEMORY, memory));
    double squares = Arrays.stream(batched).map(pull -> pull * pull).sum();
    return new Spread(squares * batches / (batches - 1) * (1 + left) / (1 - left), batches);
  }

  private double[] batched(int batches) {
    double[] sums = batched(pulls, batches);
    return drifts ? withoutDrift(sums) : sums;
  }

  static double[] batched(double[] series, int batches) {
    double[] sums = new double[batches];
    for (int i = 0; i < series.length; i++) {
      sums[(int) ((long) i * batches / series.length)] += series[i];
    }
    return sums;
  }

  private static double[] withoutDrift(double[] series) {
    double middle = (series.length - 1) / 2.0;
    double mean = Arrays.stream(series).average().orElse(0);
    double squares = 0;
    double products = 0;
    for (int i = 0; i < series.length; i++) {
      squares += (i - middle) * (i - middle);
      products += (i - middle) * (series[i] - mean);
    }
    double slope = products / squares;
    double[] left = new double[series.length];
    Arrays.setAll(left, i -> series[i] - slope * (i - middle));
    return left;
  }
}
