package tallystick.analysis.change;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import tallystick.analysis.engine.EngineColumns;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.Latency;
import tallystick.analysis.statistics.BlockBootstrap;
import tallystick.analysis.statistics.LeastSquares;

/**
 * What a step of the engine costs by itself, so that an engine that became slower is told from one
 * that is asked for more. A gap lasts as long as its step, and a step lasts a base, so much for
 * each request decoding and so much for each prompt token in it; the three are fitted to the gaps
 * of each piece of time. Compared are the cost of a step without prompts, at the same number of
 * requests, and the cost of a prompt token.
 *
 * @param withoutPrompts judged over reference, with a 90 % interval
 * @param perPromptToken judged over reference, with a 90 % interval
 * @param promptsOverRest what prompts cost in the reference's steps, over their cost without
 */
record StepCost(Interval withoutPrompts, Interval perPromptToken, double promptsOverRest) {
  /** Four blocks of five: fewer hardly vary when drawn anew. */
  private static final int FEWEST_PIECES = 20;

  /** Neighbours are alike: shorter ones would narrow intervals. */
  private static final int SHORTEST_BLOCK = 5;

  /** What a step may cost: a term that would cost less than nothing is left out. */
  private static final int[][] CHOICES = {{0, 1, 2}, {0, 2}, {0, 1}, {0}};

  private static final double[] UNKNOWN = {Double.NaN, Double.NaN, Double.NaN};

  /** The costs of a step in one period. */
  private record Fit(double base, double perRequest, double perToken) {
    double at(double requests) {
      return base + perRequest * requests;
    }
  }

  /** Sums of squares and products of one piece of time, weighed by its gaps. */
  private record Piece(double gaps, double[] terms, double gapSeconds) {}

  /** Both costs of a period over those of its reference. */
  static StepCost of(PeriodSums judged, PeriodSums reference) {
    List<Piece> now = pieces(judged);
    List<Piece> before = pieces(reference);
    if (Math.min(now.size(), before.size()) < FEWEST_PIECES) {
      Interval none =
          Interval.missing(
              "%s pieces of time with gaps, need %s"
                  .formatted(Math.min(now.size(), before.size()), FEWEST_PIECES));
      return new StepCost(none, none, 0);
    }
    double requests = (mean(now, 1) + mean(before, 1)) / 2;
    BlockBootstrap random = new BlockBootstrap(BlockBootstrap.SEED);
    double[] bases = new double[BlockBootstrap.RESAMPLES];
    double[] tokens = new double[BlockBootstrap.RESAMPLES];
    for (int i = 0; i < bases.length; i++) {
      Fit here = fit(now, random.positions(now.size(), block(now.size())));
      Fit there = fit(before, random.positions(before.size(), block(before.size())));
      bases[i] = here.at(requests) / there.at(requests);
      tokens[i] = here.perToken / there.perToken;
    }
    Fit here = fit(now, all(now.size()));
    Fit there = fit(before, all(before.size()));
    return new StepCost(
        interval(here.at(requests) / there.at(requests), bases),
        interval(here.perToken / there.perToken, tokens),
        there.perToken * mean(before, 2) / there.at(mean(before, 1)));
  }

  private static List<Piece> pieces(PeriodSums of) {
    double[] sums = of.column(EngineColumns.sumOf(Latency.ITL));
    double[] counts = of.column(EngineColumns.countOf(Latency.ITL));
    double[] prompts = of.column(EngineColumns.PROMPT_TOKENS);
    double[] cached = of.column(EngineColumns.PREFIX_HITS);
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < sums.length; i++) {
      if (counts[i] > 0) {
        double share = of.lengths()[i] * Math.max(1, of.engines());
        double gap = sums[i] / counts[i];
        double perStep = Math.max(0, prompts[i] - cached[i]) / share * gap;
        pieces.add(new Piece(counts[i], new double[] {1, sums[i] / share, perStep}, gap));
      }
    }
    return pieces;
  }

  private static double mean(List<Piece> pieces, int term) {
    double gaps = pieces.stream().mapToDouble(Piece::gaps).sum();
    return pieces.stream().mapToDouble(piece -> piece.gaps * piece.terms[term]).sum() / gaps;
  }

  private static int[] all(int size) {
    return IntStream.range(0, size).toArray();
  }

  private static int block(int size) {
    return Math.max(SHORTEST_BLOCK, (int) Math.ceil(Math.cbrt(size)));
  }

  private static Fit fit(List<Piece> pieces, int[] positions) {
    LeastSquares squares = new LeastSquares(UNKNOWN.length);
    for (int position : positions) {
      Piece piece = pieces.get(position);
      squares.add(piece.terms, piece.gapSeconds, piece.gaps);
    }
    double[] costs = squares.firstOf(CHOICES).orElse(UNKNOWN);
    return new Fit(costs[0], costs[1], costs[2]);
  }

  private static Interval interval(double ratio, double[] values) {
    return BlockBootstrap.interval(ratio, values, "the gaps do not tell");
  }
}
