package tallystick.experiment.tune;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.distribution.FDistribution;
import tallystick.experiment.regress.Holm;

/**
 * Whether what one flag does depends on the other: analysis of variance over blocks that hold every
 * cell, one run in each.
 *
 * @param response of what
 * @param chance that flags which act apart look so entangled, raised for all responses (Holm)
 * @param largest the largest part of a cell that neither flag alone explains, as a share
 */
record Interaction(Response response, double chance, double largest) {
  private static final double LEVEL = 0.05;

  boolean isSeen() {
    return chance <= LEVEL;
  }

  /** For each response with a logarithm; empty where the runs cannot tell. */
  static List<Interaction> of(Grid grid, Evidence evidence) {
    List<Integer> cells = grid.cells().stream().map(Cell::number).toList();
    List<Integer> blocks = evidence.together(cells);
    if (grid.factors().size() != 2 || !grid.isFull() || blocks.size() < 2
        || grid.factors().stream().anyMatch(factor -> factor.values().size() < 2)) {
      return List.of();
    }
    List<Response> told =
        evidence.told(cells, blocks).stream()
            .filter(response -> response != Response.PREEMPTIONS)
            .toList();
    List<Interaction> alone =
        told.stream()
            .map(
                response -> {
                  double[][] costs = new double[blocks.size()][cells.size()];
                  for (int b = 0; b < blocks.size(); b++) {
                    for (int c = 0; c < cells.size(); c++) {
                      costs[b][c] = evidence.cost(blocks.get(b), c, response);
                    }
                  }
                  return of(response, costs, grid.factors().get(1).values().size());
                })
            .toList();
    double[] raised =
        Holm.adjusted(alone.stream().mapToDouble(Interaction::chance).toArray());
    List<Interaction> all = new ArrayList<>();
    for (int i = 0; i < raised.length; i++) {
      all.add(new Interaction(alone.get(i).response(), raised[i], alone.get(i).largest()));
    }
    return all;
  }

  /**
   * One response alone.
   *
   * @param costs [block][cell], the cells row by row
   * @param columns values of the second flag
   */
  static Interaction of(Response response, double[][] costs, int columns) {
    int blocks = costs.length;
    int cells = costs[0].length;
    int rows = cells / columns;
    double all = 0;
    double[] ofBlock = new double[blocks];
    double[] ofCell = new double[cells];
    double[] ofRow = new double[rows];
    double[] ofColumn = new double[columns];
    for (int b = 0; b < blocks; b++) {
      for (int c = 0; c < cells; c++) {
        all += costs[b][c] / (blocks * cells);
        ofBlock[b] += costs[b][c] / cells;
        ofCell[c] += costs[b][c] / blocks;
        ofRow[c / columns] += costs[b][c] / (blocks * columns);
        ofColumn[c % columns] += costs[b][c] / (blocks * rows);
      }
    }
    double entangled = 0;
    double largest = 0;
    double rest = 0;
    for (int c = 0; c < cells; c++) {
      double part = ofCell[c] - ofRow[c / columns] - ofColumn[c % columns] + all;
      entangled += blocks * part * part;
      largest = Math.max(largest, Math.abs(part));
      for (int b = 0; b < blocks; b++) {
        double error = costs[b][c] - ofCell[c] - ofBlock[b] + all;
        rest += error * error;
      }
    }
    int freedom = (rows - 1) * (columns - 1);
    int free = (cells - 1) * (blocks - 1);
    double chance = chance(entangled / freedom, rest / free, freedom, free);
    return new Interaction(response, chance, Math.expm1(largest));
  }

  private static double chance(double between, double within, int freedom, int free) {
    if (within == 0) {
      return between > 0 ? 0 : 1;
    }
    return 1
        - new FDistribution(null, freedom, free).cumulativeProbability(between / within);
  }
}
