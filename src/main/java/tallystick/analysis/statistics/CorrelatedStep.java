package tallystick.analysis.statistics;

import java.util.Random;

/**
 * Whether a series made a step, or only wanders because each value follows the one before: how much
 * likelier a step makes the series, where either may be correlated from one value to the next.
 */
final class CorrelatedStep {
  /** What the made series are correlated by; the ratio hardly depends on it up to a half. */
  private static final double FOLLOWING = 0.4;

  private static final double[] CORRELATIONS = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

  private CorrelatedStep() {}

  /**
   * How often a correlated series without a step looks as much like one.
   *
   * @param shortest fewest values on a side of the step
   * @param tries series that are made to tell
   */
  static double pValue(double[] series, int shortest, int tries) {
    double reached = gain(series, shortest);
    Random random = new Random(BlockBootstrap.SEED);
    int times = 0;
    for (int i = 0; i < tries; i++) {
      times += gain(made(series.length, random), shortest) >= reached ? 1 : 0;
    }
    return (1.0 + times) / (1 + tries);
  }

  private static double[] made(int length, Random random) {
    double[] series = new double[length];
    double fresh = Math.sqrt(1 - FOLLOWING * FOLLOWING);
    series[0] = random.nextGaussian();
    for (int i = 1; i < length; i++) {
      series[i] = FOLLOWING * series[i - 1] + fresh * random.nextGaussian();
    }
    return series;
  }

  /** Twice the logarithm of the likelihood with the best step over the one without. */
  static double gain(double[] series, int shortest) {
    double without = Double.POSITIVE_INFINITY;
    double with = Double.POSITIVE_INFINITY;
    for (double correlation : CORRELATIONS) {
      Whitened whitened = Whitened.of(series, correlation);
      without = Math.min(without, whitened.unlikely(whitened.squares()));
      with = Math.min(with, whitened.unlikely(whitened.squaresBesideStep(shortest)));
    }
    return without - with;
  }

  /**
   * A series freed of its correlation, from its first value on.
   *
   * @param first how a level shows in the first value; in every other it does as {@code level}
   */
  private record Whitened(double[] values, double correlation, double first, double level) {
    static Whitened of(double[] series, double correlation) {
      double[] values = new double[series.length];
      double first = Math.sqrt(1 - correlation * correlation);
      for (int i = 1; i < series.length; i++) {
        values[i] = series[i] - series[0] - correlation * (series[i - 1] - series[0]);
      }
      return new Whitened(values, correlation, first, 1 - correlation);
    }

    private double levelSquares() {
      return first * first + (values.length - 1) * level * level;
    }

    private double levelProduct() {
      double sum = 0;
      for (int i = 1; i < values.length; i++) {
        sum += level * values[i];
      }
      return first * values[0] + sum;
    }

    /** What one level leaves. */
    double squares() {
      double all = 0;
      for (double value : values) {
        all += value * value;
      }
      return all - levelProduct() * levelProduct() / levelSquares();
    }

    /** What a level and its best step leave: a step shows whole where it is, then as a level. */
    double squaresBesideStep(int shortest) {
      double ofLevel = levelProduct();
      double most = 0;
      double after = 0;
      for (int at = values.length - 1; at >= shortest; at--) {
        int rest = values.length - 1 - at;
        if (rest + 1 >= shortest) {
          double both = level + rest * level * level;
          double own = 1 + rest * level * level - both * both / levelSquares();
          double product = values[at] + level * after - both * ofLevel / levelSquares();
          most = Math.max(most, product * product / own);
        }
        after += values[at];
      }
      return squares() - most;
    }

    double unlikely(double squares) {
      return values.length * Math.log(Math.max(0, squares))
          - Math.log(1 - correlation * correlation);
    }
  }
}
