package tallystick.experiment.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.StatUtils;
import tallystick.analysis.statistics.BlockBootstrap;
import tallystick.experiment.fit.FittedCost.Standing;
import tallystick.runrecord.RequestRow;

/**
 * Fits costs to steps and first tokens of several runs.
 *
 * <p>Steps: least squares of relative errors, so that short steps count as much as long ones;
 * stalls are left out and told, see {@link OutlierFreeSteps}. Intervals: blocks of time drawn anew,
 * the API server's costs with the steps' of the same draw.
 */
public final class ProfileFitting {
  /** Why there are no costs. */
  public static final String NOTHING_READ =
      "no engine step can be read: answers need three tokens and more, each in its own chunk";

  /** Leads what to vary where the runs vary it already. */
  public static final String LONGER = "run longer, ";

  /** Why no step cost is known of runs that were not equally fast. */
  public static final String SPEEDS_DIFFER = "runs differ in speed";

  /** Two take every step; the others leave out what the costs so far call a stall. */
  private static final int ROUNDS = 8;

  private static final int BLOCKS = 60; // fewer hardly vary when drawn anew, shorter ones are alike
  private static final double SHORTEST_BLOCK_NANOS = 2e8; // some steps: neighbours scatter together
  private static final int FEWEST_BLOCKS = 10; // of fewer, draws tell little of how a cost varies
  private static final double CLOSE = 0.1; // off by more, a profile would choose another setting

  /** So small a part of a step puts no prediction off by a tenth. */
  private static final double NEGLIGIBLE = 0.02;

  /** Of a cost's squares: with so much that is its own, a longer run tells it. */
  private static final double TOLD_APART = 0.02;

  private static final double MICRO = 1000;

  /** Of so many engines the least and the most that any of them shows hold 90 %. */
  private static final int POSSIBLE = 19;

  private final List<List<ObservedStep>> steps = new ArrayList<>();
  private final List<List<RequestStart>> starts = new ArrayList<>();
  private int leftOut;

  /** The begins of requests as the latest fit counts them. */
  private List<List<RequestStart>> counted = List.of();

  /** Adds what one engine answered in one run. */
  public void add(List<RequestRow> rows, int budget) {
    StepReading reading = new StepReading(rows, budget);
    steps.add(reading.steps());
    starts.add(reading.starts());
    leftOut += reading.leftOut();
  }

  /** The costs; empty if no step can be read. */
  public Optional<FittedProfile> fit(String source) {
    if (steps.stream().allMatch(List::isEmpty)) {
      return Optional.empty();
    }
    counted = starts;
    if (besideOthers() < RunSpeedFactor.FEWEST_STARTS) {
      countWakingAsRequest();
      return Optional.of(fitted(source));
    }
    FittedProfile found = fitted(source);
    FittedCost wake = found.of(StepCostTerm.WAKE);
    if (wake.low() > 0) {
      return Optional.of(found);
    }
    countWakingAsRequest();
    return Optional.of(fitted(source).with(wake.with(0)));
  }

  private FittedProfile fitted(String source) {
    double[] terms = firstGuess(steps.stream().flatMap(List::stream).toList());
    List<BlockDesignMatrix> blocks = List.of();
    BlockDesignMatrix whole = new BlockDesignMatrix();
    for (int round = 0; round < ROUNDS; round++) {
      blocks = blocks(terms, whole.outputNanos(), round);
      whole = new BlockDesignMatrix();
      blocks.forEach(whole::add);
      terms = whole.work.nonNegative(List.of());
    }
    return profile(blocks, whole, source);
  }

  private long besideOthers() {
    return starts.stream().flatMap(List::stream).filter(start -> !start.isIdle()).count();
  }

  /** Where the two cannot be told apart, requests that met an idle engine tell their sum. */
  private void countWakingAsRequest() {
    counted =
        starts.stream()
            .map(run -> run.stream().map(RequestStart::withoutWake).toList())
            .toList();
  }

  private FittedProfile profile(
      List<BlockDesignMatrix> blocks, BlockDesignMatrix whole, String source) {
    double[] terms = whole.work.nonNegative(List.of());
    List<ObservedStep> all = steps.stream().flatMap(List::stream).toList();
    List<ObservedStep> calm =
        steps.stream().flatMap(run -> OutlierFreeSteps.of(run, terms, 1).stream()).toList();
    double[] best = BootstrapCosts.costs(whole);
    BootstrapCosts drawn = BootstrapCosts.of(blocks, BlockBootstrap.RESAMPLES);
    double allNanos = all.stream().mapToDouble(ObservedStep::nanos).sum();
    double calmNanos = calm.stream().mapToDouble(ObservedStep::nanos).sum();
    double[] speeds = logSpeeds(terms);
    FittedProfile.Seen seen =
        new FittedProfile.Seen(
            all.size(),
            leftOut,
            1 - OutlierFreeSteps.count(calm) / all.size(),
            1 - calmNanos / allNanos,
            (int) whole.starts,
            blocks.size(),
            Math.exp(StatUtils.min(speeds)),
            Math.exp(StatUtils.max(speeds)),
            Math.sqrt(StatUtils.variance(speeds)));
    Sight sight = new Sight(whole, calmNanos / OutlierFreeSteps.count(calm), seen);
    List<FittedCost> costs =
        Stream.of(StepCostTerm.values()).map(cost -> fitted(cost, best, drawn, sight)).toList();
    return new FittedProfile(costs, StepTimeNoise.of(steps, terms), seen, source);
  }

  /**
   * Engines that these runs leave possible for a run to come: costs of blocks drawn anew, as fast
   * as one run more may be. All are equally likely.
   */
  public PosteriorEngines possible(FittedProfile best) {
    double[] terms = best.terms();
    List<BlockDesignMatrix> blocks =
        blocks(terms, MICRO * best.of(StepCostTerm.OUTPUT).micros(), ROUNDS);
    PosteriorSpeeds speeds =
        new PosteriorSpeeds(logSpeeds(terms), BlockDesignMatrix.spread(blocks));
    if (!speeds.doubt().isEmpty()) {
      return PosteriorEngines.none(speeds.doubt());
    }
    BootstrapCosts drawn = BootstrapCosts.of(blocks, POSSIBLE);
    double[] factors = speeds.factors(POSSIBLE);
    List<FittedProfile> engines = new ArrayList<>();
    for (int i = 0; i < POSSIBLE; i++) {
      double factor = factors[i] / MICRO;
      engines.add(
          best.with(Arrays.stream(drawn.draws().get(i)).map(cost -> factor * cost).toArray()));
    }
    return new PosteriorEngines(engines, "");
  }

  /** What the steps of each run took over what they should, as logarithms. */
  private double[] logSpeeds(double[] terms) {
    return steps.stream()
        .filter(run -> !run.isEmpty())
        .mapToDouble(run -> Math.log(RunSpeedFactor.ofSteps(run, terms)))
        .toArray();
  }

  /** What a cost is judged by. */
  private record Sight(BlockDesignMatrix whole, double stepNanos, FittedProfile.Seen seen) {}

  /** A plain step takes the median; nothing else costs anything yet. */
  private static double[] firstGuess(List<ObservedStep> all) {
    double[] nanos = all.stream().mapToDouble(ObservedStep::nanos).sorted().toArray();
    double[] terms = new double[StepCostTerm.OUTPUT.ordinal()];
    terms[0] = nanos[nanos.length / 2];
    return terms;
  }

  /** Blocks of time over all runs, of steps that are no stalls and of plausible first tokens. */
  private List<BlockDesignMatrix> blocks(double[] terms, double outputNanos, int round) {
    double allNanos = steps.stream().flatMap(List::stream).mapToDouble(ObservedStep::nanos).sum();
    double blockNanos = Math.max(SHORTEST_BLOCK_NANOS, allNanos / BLOCKS);
    // The first guess is of a plain step only: a long prompt is no stall yet.
    boolean takesAll = round < 2;
    double apart = RequestStart.WAY_NANOS + outputNanos;
    double besideWeight = takesAll ? 1 : besideWeight(terms, apart);
    List<BlockDesignMatrix> blocks = new ArrayList<>();
    for (int run = 0; run < steps.size(); run++) {
      Iterator<RequestStart> begins = counted.get(run).iterator();
      BlockDesignMatrix block = new BlockDesignMatrix();
      blocks.add(block);
      double filled = 0;
      RequestStart start = begins.hasNext() ? begins.next() : null;
      List<ObservedStep> calm =
          takesAll ? steps.get(run) : OutlierFreeSteps.of(steps.get(run), terms, 1);
      for (ObservedStep step : calm) {
        block.add(step, terms);
        for (; start != null && start.atNanos() < step.atNanos();
            start = begins.hasNext() ? begins.next() : null) {
          if (takesAll || start.isPlausible(terms, apart)) {
            block.add(start, terms, apart, start.isIdle() ? 1 : besideWeight);
          }
        }
        filled += step.nanos();
        if (filled >= blockNanos) {
          block = new BlockDesignMatrix();
          blocks.add(block);
          filled = 0;
        }
      }
    }
    blocks.removeIf(block -> block.stepCount == 0);
    return blocks;
  }

  /**
   * What a request beside others tells of its cost, over one that met an idle engine: the former
   * waited for a part of a step that nobody knows.
   */
  private double besideWeight(double[] terms, double apart) {
    double[] squares = new double[2];
    int[] counts = new int[2];
    for (RequestStart start : counted.stream().flatMap(List::stream).toList()) {
      if (start.isPlausible(terms, apart)) {
        int which = start.isIdle() ? 0 : 1;
        squares[which] += Math.pow(start.off(terms, apart), 2);
        counts[which]++;
      }
    }
    boolean isKnown =
        Math.min(counts[0], counts[1]) >= RunSpeedFactor.FEWEST_STARTS && squares[1] > 0;
    return isKnown ? Math.min(1, squares[0] / counts[0] * counts[1] / squares[1]) : 1;
  }

  private static FittedCost fitted(
      StepCostTerm cost, double[] best, BootstrapCosts drawn, Sight sight) {
    double[] sorted = drawn.sorted(cost);
    double value = best[cost.ordinal()];
    double low = BlockBootstrap.quantile(sorted, 0.025);
    double high = BlockBootstrap.quantile(sorted, 0.975);
    Standing standing = Standing.NOT_IDENTIFIABLE;
    if (sight.seen().blocks() >= FEWEST_BLOCKS && hasEnough(cost, sight)) {
      boolean isClose = high - value <= CLOSE * value && value - low <= CLOSE * value;
      double part = high * meanWork(cost, sight) / sight.stepNanos();
      standing =
          isClose && value > 0
              ? Standing.KNOWN
              : part < NEGLIGIBLE ? Standing.NEGLIGIBLE : Standing.NOT_IDENTIFIABLE;
    }
    return new FittedCost(
        cost, value / MICRO, low / MICRO, high / MICRO, standing,
        standing == Standing.NOT_IDENTIFIABLE ? needs(cost, sight) : "");
  }

  private static boolean hasEnough(StepCostTerm cost, Sight sight) {
    return switch (cost) {
      case STEP, PREFILL_TOKEN, PREFILL_PAIR, DECODE_SEQUENCE, KV_TOKEN ->
          sight.seen().isOneEngine() && sight.whole().isToldApart(cost.ordinal());
      case REQUEST -> sight.whole().starts >= RunSpeedFactor.FEWEST_STARTS;
      case WAKE ->
          sight.whole().idleStarts >= RunSpeedFactor.FEWEST_STARTS
              && sight.whole().isToldApart(cost.ordinal());
      case OUTPUT -> sight.whole().outputSquares > 0;
    };
  }

  /** How much of a cost a mean step pays. */
  private static double meanWork(StepCostTerm cost, Sight sight) {
    BlockDesignMatrix whole = sight.whole();
    return switch (cost) {
      case STEP, PREFILL_TOKEN, PREFILL_PAIR, DECODE_SEQUENCE, KV_TOKEN ->
          Math.sqrt(whole.work.square(cost.ordinal()) / whole.work.square(0));
      case REQUEST -> 1;
      case WAKE -> sight.stepNanos() * whole.idleStarts / Math.max(1, whole.idleNanos);
      case OUTPUT -> Math.sqrt(whole.outputSquares / whole.stepCount);
    };
  }

  private static String needs(StepCostTerm cost, Sight sight) {
    if (cost.isOfStep() && !sight.seen().isOneEngine()) {
      return SPEEDS_DIFFER;
    }
    BlockDesignMatrix whole = sight.whole();
    if (cost == StepCostTerm.WAKE && whole.idleStarts >= RunSpeedFactor.FEWEST_STARTS
        && whole.starts - whole.idleStarts < RunSpeedFactor.FEWEST_STARTS) {
      return "add a run at a higher rate";
    }
    if (!cost.isOfStep() && cost != StepCostTerm.OUTPUT && hasEnough(cost, sight)) {
      return "add a longer run at a low rate";
    }
    return cost.isOfStep() && whole.work.ownShare(cost.ordinal()) > TOLD_APART
        ? LONGER + cost.remedy()
        : cost.remedy();
  }
}
