package tallystick.experiment.tune;

import java.util.SplittableRandom;

/** The cells that no other is better than: a gain in one cost is a loss in another. */
final class Front {
  private static final int RESAMPLES = 999;

  private Front() {}

  /**
   * How often a cell is on the front, and how often it holds the objectives, if the blocks had
   * come out otherwise.
   *
   * @param onFront share of the resamples, of each cell
   * @param holds share of the resamples, of each cell
   */
  record Chances(double[] onFront, double[] holds) {}

  /**
   * Which cells are on the front.
   *
   * @param costs of each cell; less is better
   * @param tolerance costs that differ by no more count as equal
   * @param allowed a cell that is not can neither be on it nor keep another from it
   */
  static boolean[] of(double[][] costs, double[] tolerance, boolean[] allowed) {
    boolean[] onFront = new boolean[costs.length];
    for (int cell = 0; cell < costs.length; cell++) {
      onFront[cell] = allowed[cell];
      for (int other = 0; other < costs.length && onFront[cell]; other++) {
        onFront[cell] = !(allowed[other] && isBetter(costs[other], costs[cell], tolerance));
      }
    }
    return onFront;
  }

  /** Worse in nothing, better in something. */
  private static boolean isBetter(double[] one, double[] other, double[] tolerance) {
    boolean isBetter = false;
    for (int i = 0; i < one.length; i++) {
      if (one[i] > other[i] + tolerance[i]) {
        return false;
      }
      isBetter |= one[i] < other[i] - tolerance[i];
    }
    return isBetter;
  }

  /**
   * Chances from resamples: each cell's means move as the residuals of all cells do, so that few
   * blocks tell the spread; a cell that spreads more than the others moves by its own.
   *
   * @param blocks [block][cell][cost], at least two blocks
   * @param shares [block][cell], of good requests
   * @param target what a cell must hold
   */
  static Chances chances(
      double[][][] blocks, double[][] shares, double target, double[] tolerance, long seed) {
    int cells = shares[0].length;
    double[] onFront = new double[cells];
    double[] holds = new double[cells];
    Residuals residuals = new Residuals(blocks);
    double widened = Few.widening(blocks.length, blocks.length - 1);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < RESAMPLES; i++) {
      int[] drawn = random.ints(blocks.length, 0, blocks.length).toArray();
      double[][] costs = new double[cells][];
      boolean[] allowed = new boolean[cells];
      for (int cell = 0; cell < cells; cell++) {
        costs[cell] = residuals.moved(cell, random);
        allowed[cell] = Few.redrawn(column(shares, cell), drawn, widened) >= target;
        holds[cell] += allowed[cell] ? 1.0 / RESAMPLES : 0;
      }
      boolean[] found = of(costs, tolerance, allowed);
      for (int cell = 0; cell < cells; cell++) {
        onFront[cell] += found[cell] ? 1.0 / RESAMPLES : 0;
      }
    }
    return new Chances(onFront, holds);
  }

  private static double[] column(double[][] blocks, int cell) {
    double[] column = new double[blocks.length];
    for (int block = 0; block < column.length; block++) {
      column[block] = blocks[block][cell];
    }
    return column;
  }
}
