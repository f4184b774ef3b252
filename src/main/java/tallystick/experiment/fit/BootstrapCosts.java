package tallystick.experiment.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import tallystick.analysis.statistics.BlockBootstrap;

/**
 * All costs as blocks of time drawn anew give them, so that what one cost has too much another one
 * has too little.
 *
 * @param draws costs in nanoseconds, in the order of {@link StepCostTerm}
 */
record BootstrapCosts(List<double[]> draws) {
  /**
   * So many draws of so many blocks as there are. Where costs are not told apart, by turns each of
   * them is nothing and another one all.
   */
  static BootstrapCosts of(List<BlockDesignMatrix> blocks, int count) {
    BlockBootstrap random = new BlockBootstrap(BlockBootstrap.SEED);
    BlockDesignMatrix whole = new BlockDesignMatrix();
    blocks.forEach(whole::add);
    List<List<Integer>> splits =
        IntStream.range(0, StepCostTerm.OUTPUT.ordinal())
            .mapToObj(whole::surplus)
            .distinct()
            .toList();
    List<double[]> draws = new ArrayList<>();
    for (int draw = 0; draw < count; draw++) {
      BlockDesignMatrix sums = new BlockDesignMatrix();
      for (int position : random.positions(blocks.size())) {
        sums.add(blocks.get(position));
      }
      draws.add(costs(sums, splits.get(draw % splits.size())));
    }
    return new BootstrapCosts(draws);
  }

  /** The costs of these sums; those that are not told apart are shared out. */
  static double[] costs(BlockDesignMatrix sums) {
    return costs(sums, List.of());
  }

  private static double[] costs(BlockDesignMatrix sums, List<Integer> without) {
    double[] all = Arrays.copyOf(sums.work.nonNegative(without), StepCostTerm.values().length);
    all[StepCostTerm.OUTPUT.ordinal()] = sums.outputNanos();
    return all;
  }

  /** The values of one cost, sorted. */
  double[] sorted(StepCostTerm cost) {
    return draws.stream().mapToDouble(draw -> draw[cost.ordinal()]).sorted().toArray();
  }
}
