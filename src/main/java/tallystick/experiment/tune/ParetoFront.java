package tallystick.experiment.tune;

import java.util.Arrays;
import java.util.SplittableRandom;

/** The cells that no other is better than: a gain in one cost is a loss in another. */
final class ParetoFront {
  /** Chances near 95 % are then known to 1.4 points (twice their standard error). */
  private static final int RESAMPLES = 999;

  private ParetoFront() {}

  /**
   * How often a cell is on the front, and how often it holds the objectives, if the blocks had
   * come out otherwise.
   *
   * @param onFront share of the resamples, of each cell
   * @param holds share of the resamples, of each cell
   * @param beaten of each cell, what most often keeps it from the front
   */
  record Chances(double[] onFront, double[] holds, Beaten[] beaten) {}

  /**
   * A cell that may be better than another one.
   *
   * @param by its number
   * @param chance share of the resamples in which it is better, or the other fails the objectives
   */
  record Beaten(int by, double chance) {}

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
   * @param shares of good requests
   */
  static Chances chances(
      double[][][] blocks, SloAttainment shares, double[] tolerance, long seed) {
    int cells = blocks[0].length;
    double[] onFront = new double[cells];
    double[] holds = new double[cells];
    int[][] better = new int[cells][cells];
    Residuals residuals = new Residuals(blocks);
    double widening = shares.widening();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < RESAMPLES; i++) {
      int[] drawn = random.ints(blocks.length, 0, blocks.length).toArray();
      double[][] costs = new double[cells][];
      boolean[] allowed = new boolean[cells];
      for (int cell = 0; cell < cells; cell++) {
        costs[cell] = residuals.moved(cell, random);
        allowed[cell] = shares.mayHold(cell, drawn, widening, random);
        holds[cell] += allowed[cell] ? 1.0 / RESAMPLES : 0;
      }
      boolean[] found = of(costs, tolerance, allowed);
      for (int cell = 0; cell < cells; cell++) {
        onFront[cell] += found[cell] ? 1.0 / RESAMPLES : 0;
        count(better[cell], cell, costs, tolerance, allowed);
      }
    }
    return new Chances(
        onFront, holds, Arrays.stream(better).map(ParetoFront::most).toArray(Beaten[]::new));
  }

  /** Counts each cell that keeps this one from the front. */
  private static void count(
      int[] better, int cell, double[][] costs, double[] tolerance, boolean[] allowed) {
    for (int other = 0; other < costs.length; other++) {
      boolean isKept =
          !allowed[cell] || allowed[other] && isBetter(costs[other], costs[cell], tolerance);
      better[other] += other != cell && isKept ? 1 : 0;
    }
  }

  private static Beaten most(int[] better) {
    int most = 0;
    for (int other = 1; other < better.length; other++) {
      most = better[other] > better[most] ? other : most;
    }
    return new Beaten(most, (double) better[most] / RESAMPLES);
  }
}
