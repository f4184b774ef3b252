package tallystick.analysis.change;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interpretation.Signal;
import tallystick.analysis.result.Interpretation.SignalName;
import tallystick.analysis.result.Interpretation.State;
import tallystick.analysis.result.Interval;
import tallystick.analysis.statistics.BinnedCounts;
import tallystick.analysis.statistics.BlockBootstrap;
import tallystick.analysis.statistics.Proportion;
import tallystick.scenario.Formatted;

/**
 * Whether a signal is high against its reference. High needs both: the ratio of P95 above 1.25 with
 * its lower 90 % bound, and a P95 that moved by a bucket; or exact means of both sides that rose
 * together. Stable needs its upper bound below 1.25, or exact means and client percentiles that
 * are. Anything else is unknown.
 */
public final class SignalCheck {
  static final double RATIO = 1.25;

  /** Five lie above a P95. With less of a baseline 3 of 20 saturated runs got another cause. */
  public static final int FEWEST = 100;

  private static final double LEVEL = 0.95; // the objectives' usual percentile

  /** Two blocks of four: one alone would be drawn as it is. */
  private static final int FEWEST_UNITS = 8;

  /** Neighbours are alike: shorter ones would narrow intervals. */
  private static final int SHORTEST_BLOCK = 5;

  private SignalCheck() {}

  /** A signal whose two periods are resampled in blocks of time. */
  static Signal compare(
      SignalName name, BinnedCounts now, BinnedCounts reference, boolean exactSamples) {
    String refusal = refusal(now, reference);
    if (!refusal.isEmpty()) {
      return new Signal(name, State.UNKNOWN, Interval.missing(refusal), List.of(refusal));
    }
    Interval ratio = p95Ratio(now, reference);
    Interval means = meanRatio(now, reference);
    boolean moved = exactSamples || movedByABucket(now, reference);
    State state = State.UNKNOWN;
    if (ratio.low().orNaN() > RATIO && moved) {
      state = State.HIGH;
    } else if (ratio.high().orNaN() < RATIO && means.high().orNaN() < RATIO) {
      state = State.STABLE;
    }
    return new Signal(name, state, ratio, evidence(name, now, reference, ratio, means));
  }

  /**
   * Queue time by itself: low when 95 % lie in the first bucket, high when they surely do not.
   *
   * @param now the judged period
   */
  static Signal queue(BinnedCounts now, BinnedCounts reference) {
    double count = now.count();
    if (count < FEWEST) {
      String why = Formatted.of("n=%.0f, need %d", count, FEWEST);
      return new Signal(SignalName.QUEUE, State.UNKNOWN, Interval.missing(why), List.of(why));
    }
    double short0 = now.total()[0];
    Proportion share = Proportion.wilson(short0, count, Proportion.CONFIDENCE);
    State state = State.UNKNOWN;
    if (share.low() >= LEVEL) {
      state = State.LOW;
    } else if (share.high() < LEVEL) {
      state = State.HIGH;
    }
    List<String> evidence = new ArrayList<>();
    evidence.add(Formatted.of(
        "%.1f %% of queue times are at most %.3g s (90 %% interval %.1f to %.1f %%)",
        100 * short0 / count,
        now.edges()[0],
        100 * share.low(),
        100 * share.high()));
    evidence.add("mean queue " + means(now, reference));
    return new Signal(
        SignalName.QUEUE, state, Interval.missing("judged by its first bucket"), evidence);
  }

  private static String refusal(BinnedCounts now, BinnedCounts reference) {
    double fewest = Math.min(now.count(), reference.count());
    if (fewest < FEWEST) {
      return Formatted.of("n=%.0f, need %d", fewest, FEWEST);
    }
    int units = Math.min(now.units(), reference.units());
    return units < FEWEST_UNITS ? "%s units of time, need %s".formatted(units, FEWEST_UNITS) : "";
  }

  private static Interval p95Ratio(BinnedCounts now, BinnedCounts reference) {
    double estimate =
        now.interpolated(now.total(), LEVEL) / reference.interpolated(reference.total(), LEVEL);
    return interval(
        estimate, now, reference,
        (counts, held) ->
            units -> counts.interpolated(counts.total(units, held), LEVEL));
  }

  private static Interval meanRatio(BinnedCounts now, BinnedCounts reference) {
    double estimate = mean(now) / mean(reference);
    return interval(
        estimate, now, reference, (counts, held) -> units -> counts.mean(units, held));
  }

  private static Interval interval(
      double estimate, BinnedCounts now, BinnedCounts reference,
      BiFunction<BinnedCounts, int[][], ToDoubleFunction<int[]>> statistic) {
    ToDoubleFunction<int[]> ofNow = statistic.apply(now, now.held());
    ToDoubleFunction<int[]> ofReference = statistic.apply(reference, reference.held());
    BlockBootstrap random = new BlockBootstrap(BlockBootstrap.SEED);
    double[] values = new double[BlockBootstrap.RESAMPLES];
    for (int i = 0; i < values.length; i++) {
      double above = ofNow.applyAsDouble(random.positions(now.units(), block(now)));
      double below =
          ofReference.applyAsDouble(random.positions(reference.units(), block(reference)));
      values[i] = above / below;
    }
    return BlockBootstrap.interval(estimate, values, "some stretches of time hold no observation");
  }

  private static int block(BinnedCounts counts) {
    int root = (int) Math.ceil(Math.cbrt(counts.units()));
    return Math.min(Math.max(SHORTEST_BLOCK, root), Math.max(1, counts.units() / 2));
  }

  private static boolean movedByABucket(BinnedCounts now, BinnedCounts reference) {
    return BinnedCounts.cellOf(now.total(), LEVEL) > BinnedCounts.cellOf(reference.total(), LEVEL);
  }

  private static List<String> evidence(
      SignalName name, BinnedCounts now, BinnedCounts reference, Interval ratio, Interval means) {
    return List.of(
        name.code() + " P95 ratio " + words(ratio),
        name.code() + " mean ratio " + words(means) + ": " + means(now, reference),
        Formatted.of("observations %.0f, reference %.0f", now.count(), reference.count()));
  }

  private static String means(BinnedCounts now, BinnedCounts reference) {
    return Formatted.of(
        "%.1f ms, reference %.1f ms",
        mean(now) * 1e3,
        mean(reference) * 1e3);
  }

  private static String words(Interval interval) {
    return interval.value() instanceof Figure.Known
        ? Formatted.of(
            "%.2f (90 %% interval %.2f to %.2f)",
            interval.value().orNaN(),
            interval.low().orNaN(),
            interval.high().orNaN())
        : "n/a";
  }

  private static double mean(BinnedCounts counts) {
    return counts.mean(IntStream.range(0, counts.units()).toArray(), counts.held());
  }
}
