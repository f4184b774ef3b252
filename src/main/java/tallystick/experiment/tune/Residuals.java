package tallystick.experiment.tune;

import java.util.SplittableRandom;

/** What remains of each run's costs without its cell's mean and its block's. */
final class Residuals {
  private final double[][] means;
  private final double[][][] rest;
  private final double[][] wider;
  private final double widening;

  /** From costs as [block][cell][cost]; at least two blocks. */
  Residuals(double[][][] costs) {
    int blocks = costs.length;
    int cells = costs[0].length;
    int kinds = costs[0][0].length;
    means = new double[cells][kinds];
    rest = new double[blocks][cells][kinds];
    wider = new double[cells][kinds];
    widening =
        cells < 2
            ? SmallSampleStatistics.widening(blocks, blocks - 1)
            : SmallSampleStatistics.widening(blocks, (blocks - 1) * (cells - 1))
                * Math.sqrt(cells / (cells - 1.0));
    for (int kind = 0; kind < kinds; kind++) {
      fill(costs, kind);
    }
  }

  private void fill(double[][][] costs, int kind) {
    int blocks = costs.length;
    int cells = costs[0].length;
    double all = 0;
    double[] ofBlock = new double[blocks];
    for (int block = 0; block < blocks; block++) {
      for (int cell = 0; cell < cells; cell++) {
        means[cell][kind] += costs[block][cell][kind] / blocks;
        ofBlock[block] += costs[block][cell][kind] / cells;
        all += costs[block][cell][kind] / (blocks * cells);
      }
    }
    // A lone cell has nothing to tell its block from its noise.
    boolean isAlone = cells < 2;
    double squares = 0;
    double[] own = new double[cells];
    for (int block = 0; block < blocks; block++) {
      for (int cell = 0; cell < cells; cell++) {
        double left = costs[block][cell][kind] - means[cell][kind];
        rest[block][cell][kind] = isAlone ? left : left - ofBlock[block] + all;
        own[cell] += rest[block][cell][kind] * rest[block][cell][kind] / blocks;
        squares += rest[block][cell][kind] * rest[block][cell][kind] / (blocks * cells);
      }
    }
    for (int cell = 0; cell < cells; cell++) {
      wider[cell][kind] = squares == 0 ? 1 : Math.max(1, Math.sqrt(own[cell] / squares));
    }
  }

  /** A cell's mean costs as they might have come out. */
  double[] moved(int cell, SplittableRandom random) {
    double[] moved = means[cell].clone();
    for (int i = 0; i < rest.length; i++) {
      double[] drawn = rest[random.nextInt(rest.length)][random.nextInt(means.length)];
      for (int kind = 0; kind < moved.length; kind++) {
        moved[kind] += widening * wider[cell][kind] * drawn[kind] / rest.length;
      }
    }
    return moved;
  }
}
