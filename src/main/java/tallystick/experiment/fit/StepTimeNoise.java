package tallystick.experiment.fit;

import java.util.List;
import tallystick.analysis.statistics.LeastSquares;

/**
 * How single steps scatter as a client sees them: standard deviations of the logarithms of
 * factors with mean 1.
 *
 * <p>What holds a token up on its way, and a machine's small hiccups, lengthen a step of 60 ms by
 * no more than one of 5 ms. So a part scatters as the step's base does, and a part as all of it.
 *
 * @param whole of all steps read, in one figure
 * @param ofStep of the part that grows with the step
 * @param ofBase of the part that does not
 */
public record StepTimeNoise(double whole, double ofStep, double ofBase) {
  private static final int ROUNDS = 8; // each weighs by the parts of the one before

  /** Beyond so many standard deviations a step was misread. */
  private static final double MISREAD = 4;

  /** Where all steps have the same share of base, the parts are not told apart. */
  private static final double LEAST = 1e-6;

  /** A square of a step's distance from what it should take, and its base's share of the step. */
  private record Row(double square, double baseShare) {}

  /** The scatter of runs about costs, each run at its own speed. */
  static StepTimeNoise of(List<List<ObservedStep>> runs, double[] costs) {
    List<Row> rows = runs.stream().flatMap(run -> rows(run, costs).stream()).toList();
    double all = rows.stream().mapToDouble(Row::square).average().orElse(0);
    double[] parts = {all, 0};
    for (int round = 0; round < ROUNDS; round++) {
      parts = parts(rows, parts);
    }
    return new StepTimeNoise(sigma(all), sigma(parts[0]), sigma(parts[1] / (1 + parts[0])));
  }

  private static List<Row> rows(List<ObservedStep> run, double[] costs) {
    double mean =
        run.stream().mapToDouble(step -> ratio(step, costs)).filter(StepTimeNoise::isNoStall)
            .average().orElse(1);
    return run.stream()
        .filter(step -> isNoStall(ratio(step, costs)))
        .map(
            step -> {
              double off = ratio(step, costs) / mean - 1;
              double share = Math.min(1, costs[0] / step.expected(costs));
              return new Row(off * off, share * share);
            })
        .toList();
  }

  private static double ratio(ObservedStep step, double[] costs) {
    return step.nanos() / step.expected(costs);
  }

  private static boolean isNoStall(double ratio) {
    return ratio < OutlierFreeSteps.STALL_FACTOR;
  }

  /** The fit of square = a + b * share, both at least 0, weighted by what is expected. */
  private static double[] parts(List<Row> rows, double[] before) {
    LeastSquares squares = new LeastSquares(2);
    for (Row row : rows) {
      double expected = before[0] + before[1] * row.baseShare;
      if (expected > 0 && row.square <= MISREAD * MISREAD * expected) {
        squares.add(new double[] {1, row.baseShare}, row.square, 1 / (expected * expected));
      }
    }
    return squares.ownShare(1) <= LEAST ? before : squares.nonNegative(List.of());
  }

  private static double sigma(double variance) {
    return Math.sqrt(Math.log1p(variance));
  }
}
