package tallystick.experiment.fit;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.statistics.LeastSquares;

/**
 * What one block of time adds to every sum of the fit, so that blocks can be drawn anew without
 * their rows. Rows of a block are no independent observations; blocks nearly are.
 */
final class BlockDesignMatrix {
  private static final int TERMS = StepCostTerm.OUTPUT.ordinal();

  /** Of a cost's squares: what others explain but for 1 % of its size is not told from them. */
  private static final double LEAST_OWN = 1e-4;

  final LeastSquares work = new LeastSquares(TERMS);
  double starts;
  double idleStarts;
  double idleNanos;
  double outputProducts;
  double outputSquares;
  double logSum;
  double logSquares;
  double stepCount;

  /** Adds a step. */
  void add(ObservedStep step, double[] costs) {
    double expected = step.expected(costs);
    // Equal relative errors count the same, and n steps read as one count as n.
    work.add(step.work(), step.nanos(), step.count() / (expected * expected));
    // The mean of n steps scatters less than one: by the root of n.
    double log = step.count() * Math.log(step.nanos() / expected);
    logSum += log;
    logSquares += log * log;
    stepCount += step.count();
    // Outputs go out one by one: after the first come n others, (n + 1) / 2 turns later on average.
    double turns = step.others() == 0 ? 0 : (step.others() + 1) / 2.0;
    outputProducts += turns * step.meanOffsetNanos();
    outputSquares += turns * turns;
  }

  /** Adds the begin of a request. */
  void add(RequestStart start, double[] costs, double apartNanos, double weight) {
    double scale = start.scale(costs);
    work.add(
        start.work(), start.nanos() - apartNanos - start.restNanos(costs),
        weight / (scale * scale));
    starts++;
    if (start.isIdle()) {
      idleStarts++;
      idleNanos += start.expected(costs);
    }
  }

  void add(BlockDesignMatrix other) {
    work.add(other.work);
    starts += other.starts;
    idleStarts += other.idleStarts;
    idleNanos += other.idleNanos;
    outputProducts += other.outputProducts;
    outputSquares += other.outputSquares;
    logSum += other.logSum;
    logSquares += other.logSquares;
    stepCount += other.stepCount;
  }

  /**
   * Costs to leave out so that those that are left can be told apart.
   *
   * @param first the one to try first; then those before it
   */
  List<Integer> surplus(int first) {
    List<Integer> surplus = new ArrayList<>();
    for (int i = 0; i < TERMS; i++) {
      int term = Math.floorMod(first - i, TERMS);
      if (work.square(term) > 0 && work.ownShare(term, surplus) <= LEAST_OWN) {
        surplus.add(term);
      }
    }
    return surplus;
  }

  /** Whether the other costs' work does not explain a cost's work. */
  boolean isToldApart(int term) {
    return work.ownShare(term) > LEAST_OWN;
  }

  /** Each output's turn on the way back, in nanoseconds. */
  double outputNanos() {
    return outputSquares == 0 ? 0 : Math.max(0, outputProducts / outputSquares);
  }

  /**
   * Standard deviation of what blocks took over what is expected, as a logarithm, beyond what the
   * scatter of their single steps explains.
   */
  static double spread(List<BlockDesignMatrix> blocks) {
    double steps = blocks.stream().mapToDouble(block -> block.stepCount).sum();
    double mean = blocks.stream().mapToDouble(block -> block.logSum).sum() / steps;
    double squares = 0;
    double chance = 0;
    for (BlockDesignMatrix block : blocks) {
      double log = block.logSum / block.stepCount;
      squares += block.stepCount * (log - mean) * (log - mean);
      chance += block.logSquares / block.stepCount - log * log;
    }
    return Math.sqrt(Math.max(0, squares - chance) / steps);
  }
}
