package tallystick.experiment.fit;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * What one block of time adds to every sum of the fit, so that blocks can be drawn anew without
 * their rows. Rows of a block are no independent observations; blocks nearly are.
 */
final class BlockDesignMatrix {
  private static final int TERMS = StepCostTerm.OUTPUT.ordinal();

  /** Directions in which the scaled work hardly varies do not count. */
  private static final double LEAST_SPREAD = 1e-6;

  private static final double LEAST_OWN = 1e-4;

  final double[][] squares = new double[TERMS][TERMS];
  final double[] products = new double[TERMS];
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
    addRow(step.work(), step.nanos(), step.count() / (expected * expected));
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
    addRow(
        start.work(), start.nanos() - apartNanos - start.restNanos(costs),
        weight / (scale * scale));
    starts++;
    if (start.isIdle()) {
      idleStarts++;
      idleNanos += start.expected(costs);
    }
  }

  private void addRow(double[] work, double nanos, double weight) {
    for (int i = 0; i < TERMS; i++) {
      for (int k = 0; k < TERMS; k++) {
        squares[i][k] += weight * work[i] * work[k];
      }
      products[i] += weight * work[i] * nanos;
    }
  }

  void add(BlockDesignMatrix other) {
    for (int i = 0; i < TERMS; i++) {
      for (int k = 0; k < TERMS; k++) {
        squares[i][k] += other.squares[i][k];
      }
      products[i] += other.products[i];
    }
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
   * Least squares; costs below zero are left out one by one, the worst first.
   *
   * @param without costs that are left out from the start
   */
  double[] costs(List<Integer> without) {
    boolean[] isOut = new boolean[TERMS];
    for (int i = 0; i < TERMS; i++) {
      isOut[i] = squares[i][i] == 0 || without.contains(i);
    }
    while (true) {
      double[] scaled = solve(isOut);
      int worst = -1;
      for (int i = 0; i < TERMS; i++) {
        if (!isOut[i] && scaled[i] < 0 && (worst < 0 || scaled[i] < scaled[worst])) {
          worst = i;
        }
      }
      if (worst < 0) {
        for (int i = 0; i < TERMS; i++) {
          scaled[i] = isOut[i] ? 0 : scaled[i] / Math.sqrt(squares[i][i]);
        }
        return scaled;
      }
      isOut[worst] = true;
    }
  }

  private double[] solve(boolean[] isOut) {
    double[][] matrix = new double[TERMS][TERMS];
    double[] right = new double[TERMS];
    for (int i = 0; i < TERMS; i++) {
      if (isOut[i]) {
        continue;
      }
      double scale = Math.sqrt(squares[i][i]);
      right[i] = products[i] / scale;
      for (int k = 0; k < TERMS; k++) {
        matrix[i][k] = isOut[k] ? 0 : squares[i][k] / scale / Math.sqrt(squares[k][k]);
      }
    }
    SingularValueDecomposition parts =
        new SingularValueDecomposition(new Array2DRowRealMatrix(matrix, false));
    double[] spreads = parts.getSingularValues();
    double[] turned = parts.getU().preMultiply(right);
    for (int i = 0; i < TERMS; i++) {
      turned[i] = spreads[i] < LEAST_SPREAD * spreads[0] ? 0 : turned[i] / spreads[i];
    }
    return parts.getV().operate(new ArrayRealVector(turned, false)).toArray();
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
      if (squares[term][term] > 0 && ownShare(term, surplus) <= LEAST_OWN) {
        surplus.add(term);
      }
    }
    return surplus;
  }

  /** Whether the other costs' work does not explain a cost's work. */
  boolean isToldApart(int term) {
    return ownShare(term) > LEAST_OWN;
  }

  /** Share of a cost's work that the other costs' work does not explain; near 0: not told apart. */
  double ownShare(int term) {
    return ownShare(term, List.of());
  }

  private double ownShare(int term, List<Integer> surplus) {
    if (squares[term][term] == 0) {
      return 0;
    }
    BlockDesignMatrix without = new BlockDesignMatrix();
    without.add(this);
    System.arraycopy(squares[term], 0, without.products, 0, TERMS);
    boolean[] isOut = new boolean[TERMS];
    for (int i = 0; i < TERMS; i++) {
      isOut[i] = i == term || squares[i][i] == 0 || surplus.contains(i);
    }
    double[] scaled = without.solve(isOut);
    double explained = 0;
    for (int i = 0; i < TERMS; i++) {
      explained += isOut[i] ? 0 : scaled[i] * squares[term][i] / Math.sqrt(squares[i][i]);
    }
    return 1 - explained / squares[term][term];
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
