package tallystick.analysis.statistics;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * Weighted linear least squares by the normal equations. Only the sums are kept, so that blocks of
 * rows can be drawn anew without their rows. No cost is below zero: a term that would be is left
 * out.
 */
public final class LeastSquares {
  /** A pivot so small beside its diagonal is rounding: the term is a sum of others. */
  private static final double NEARLY_NOTHING = 1e-12;

  /** Directions in which the scaled rows hardly vary do not count. */
  private static final double LEAST_SPREAD = 1e-6;

  private final double[][] squares;
  private final double[] products;

  /** Without a row, of so many terms. */
  public LeastSquares(int terms) {
    squares = new double[terms][terms];
    products = new double[terms];
  }

  /** Adds a row that makes up a value. */
  public void add(double[] row, double value, double weight) {
    for (int i = 0; i < products.length; i++) {
      double weighted = weight * row[i];
      for (int k = 0; k < products.length; k++) {
        squares[i][k] += weighted * row[k];
      }
      products[i] += weighted * value;
    }
  }

  /** Adds the rows of another one. */
  public void add(LeastSquares other) {
    for (int i = 0; i < products.length; i++) {
      for (int k = 0; k < products.length; k++) {
        squares[i][k] += other.squares[i][k];
      }
      products[i] += other.products[i];
    }
  }

  /** A term's own sum of squares; 0 where no row has it. */
  public double square(int term) {
    return squares[term][term];
  }

  /**
   * The first of several choices of terms that has no cost below zero, by Gauss-Jordan elimination;
   * terms that are not chosen cost 0. Empty where no choice has.
   */
  public Optional<double[]> firstOf(int[][] choices) {
    return Arrays.stream(choices)
        .map(this::eliminated)
        .filter(costs -> Arrays.stream(costs).allMatch(cost -> cost >= 0))
        .findFirst();
  }

  /** The chosen terms; one that cannot be told apart costs less than nothing. */
  private double[] eliminated(int[] terms) {
    int size = terms.length;
    double[][] rows = new double[size][size + 1];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        rows[i][j] = squares[terms[i]][terms[j]];
      }
      rows[i][size] = products[terms[i]];
    }
    double[] solved = new double[products.length];
    for (int i = 0; i < size; i++) {
      if (Math.abs(rows[i][i]) <= NEARLY_NOTHING * square(terms[i])) {
        solved[terms[i]] = -1;
        return solved;
      }
      for (int other = 0; other < size; other++) {
        double factor = other == i ? 0 : rows[other][i] / rows[i][i];
        for (int j = 0; j <= size && factor != 0; j++) {
          rows[other][j] -= factor * rows[i][j];
        }
      }
    }
    for (int i = 0; i < size; i++) {
      solved[terms[i]] = rows[i][size] / rows[i][i];
    }
    return solved;
  }

  /**
   * Costs below zero are left out one by one, the worst first (backward elimination); those that
   * cannot be told apart share what they cost.
   *
   * @param without terms that are left out from the start
   */
  public double[] nonNegative(Collection<Integer> without) {
    boolean[] isOut = out(without);
    while (true) {
      double[] scaled = shared(products, isOut);
      int worst = -1;
      for (int i = 0; i < scaled.length; i++) {
        if (!isOut[i] && scaled[i] < 0 && (worst < 0 || scaled[i] < scaled[worst])) {
          worst = i;
        }
      }
      if (worst < 0) {
        for (int i = 0; i < scaled.length; i++) {
          scaled[i] = isOut[i] ? 0 : scaled[i] / Math.sqrt(square(i));
        }
        return scaled;
      }
      isOut[worst] = true;
    }
  }

  /**
   * Share of a term's squares that the other terms do not explain, 1 - R² of the regression of one
   * on the others; near 0 it is not told apart.
   *
   * @param without terms that are left out
   */
  public double ownShare(int term, Collection<Integer> without) {
    if (square(term) == 0) {
      return 0;
    }
    boolean[] isOut = out(without);
    isOut[term] = true;
    double[] scaled = shared(squares[term], isOut);
    double explained = 0;
    for (int i = 0; i < scaled.length; i++) {
      explained += isOut[i] ? 0 : scaled[i] * squares[term][i] / Math.sqrt(square(i));
    }
    return 1 - explained / square(term);
  }

  /** The same beside all other terms. */
  public double ownShare(int term) {
    return ownShare(term, List.of());
  }

  private boolean[] out(Collection<Integer> without) {
    boolean[] isOut = new boolean[products.length];
    for (int i = 0; i < isOut.length; i++) {
      isOut[i] = square(i) == 0 || without.contains(i);
    }
    return isOut;
  }

  /** Costs in units of each term's root of squares: of all that fit, the shortest vector. */
  private double[] shared(double[] values, boolean[] isOut) {
    int terms = values.length;
    double[][] matrix = new double[terms][terms];
    double[] right = new double[terms];
    for (int i = 0; i < terms; i++) {
      if (isOut[i]) {
        continue;
      }
      double scale = Math.sqrt(square(i));
      right[i] = values[i] / scale;
      for (int k = 0; k < terms; k++) {
        matrix[i][k] = isOut[k] ? 0 : squares[i][k] / scale / Math.sqrt(square(k));
      }
    }
    // The pseudoinverse of Moore and Penrose.
    SingularValueDecomposition parts =
        new SingularValueDecomposition(new Array2DRowRealMatrix(matrix, false));
    double[] spreads = parts.getSingularValues();
    double[] turned = parts.getU().preMultiply(right);
    for (int i = 0; i < terms; i++) {
      turned[i] = spreads[i] < LEAST_SPREAD * spreads[0] ? 0 : turned[i] / spreads[i];
    }
    return parts.getV().operate(new ArrayRealVector(turned, false)).toArray();
  }
}
