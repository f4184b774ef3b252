package tallystick.analysis;

import java.util.List;
import java.util.Optional;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.client.PhaseSamples;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Interval;
import tallystick.analysis.result.PhaseAnalysis;
import tallystick.analysis.result.PhaseAnalysis.ChangePoint;
import tallystick.analysis.result.PhaseAnalysis.Overload;
import tallystick.analysis.result.PhaseAnalysis.SteadyState;
import tallystick.analysis.statistics.BatchMeans;
import tallystick.analysis.statistics.GrowthTrend;
import tallystick.analysis.statistics.SteadyMean;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.scenario.Formatted;

/**
 * Judges one phase by itself: steady or not, overloaded or not, where it changed.
 *
 * @param isNear whether it was short and close to capacity
 */
record PhaseJudge(PhaseSamples samples, MeasuredWindow window, LoopShape loop, boolean isNear) {
  /** A P95 has an upper bound by order statistics from 59 on (0.95^59 < 5 %). */
  private static final int FEWEST_REQUESTS = 60;

  /** Fewer batches of requests than this tell nothing of a level. */
  private static final int FEWEST_BATCHES = 8;

  /** The filling of an empty engine takes about the time requests stay in it. */
  private static final double FILLING_STAYS = 2;

  /** A phase that fills for half its length has no steady half to judge. */
  private static final double LONGEST_FILLING = 0.5;

  PhaseAnalysis analysis() {
    Phase phase = samples.phase();
    Overload overload = overload();
    List<ChangePoint> changes = new ChangePoints(samples, window).find();
    return new PhaseAnalysis(
        phase.name(),
        window.secondsAfterOrigin(samples.startNanos()),
        window.secondsAfterOrigin(samples.endNanos()),
        phase.requestsPerSecond() > 0
            ? Figure.of(phase.requestsPerSecond())
            : Figure.missing(PhaseAnalysis.NO_RATE),
        phase.ramp(),
        samples.requests(),
        samples.ok(),
        samples.ttft().distribution(samples.whyNoMoments()),
        samples.e2e().distribution(),
        samples.largestGaps().distribution(samples.whyNoMoments()),
        samples.chunkGaps().distribution(samples.whyNoMoments()),
        steadyState(overload, changes),
        overload,
        changes,
        new QueueGuard(overload, isNear, phase.ramp()).judge(samples.objectives().fromIntended()),
        samples.goodput());
  }

  private SteadyState steadyState(Overload overload, List<ChangePoint> changes) {
    if (samples.whyNoMoments().isPresent()) {
      return unsteady(
          SteadyState.Verdict.TOO_FEW, samples.whyNoMoments().get(),
          "Answers were not streamed, so nobody knows whether TTFT is steady.");
    }
    BatchMeans batches = samples.ttftBatches();
    double[] means = batches.means();
    if (fillingSeconds() > LONGEST_FILLING * samples.lengthSeconds()) {
      return unsteady(
          SteadyState.Verdict.TOO_FEW,
          "the phase is not much longer than its requests",
          "The phase is too short to tell whether TTFT is steady.");
    }
    double filled = window.secondsAfterOrigin(samples.startNanos()) + fillingSeconds();
    int cut = batchesEndedBy(batches, means.length, filled);
    if (means.length - cut < FEWEST_BATCHES) {
      int needed = FEWEST_BATCHES * BatchMeans.SMALLEST;
      return unsteady(
          SteadyState.Verdict.TOO_FEW,
          "n=%s after filling, need %s"
              .formatted((means.length - cut) * batches.batchSize(), needed),
          "Too few requests to tell whether TTFT is steady.");
    }
    if (overload.verdict() == Overload.Verdict.OVERLOADED) {
      return unsteady(
          SteadyState.Verdict.NO_STEADY_STATE, "requests pile up", "TTFT does not settle.");
    }
    if (changes.stream().anyMatch(change -> change.atSeconds() > filled)) {
      return unsteady(
          SteadyState.Verdict.NO_STEADY_STATE, "TTFT changed its level",
          "TTFT has no steady level.");
    }
    Interval mean = SteadyMean.of(means, cut);
    return new SteadyState(
        SteadyState.Verdict.STEADY,
        Figure.of((double) cut * batches.batchSize()),
        Figure.of(filled),
        mean,
        steadyText(fillingSeconds(), mean.low()));
  }

  private static String steadyText(double filling, Figure low) {
    return switch (low) {
      case Figure.Known known ->
          Formatted.of(
              "TTFT is steady after the first %.1f s, in which the engine fills.", filling);
      case Figure.Unavailable missing ->
          Formatted.of(
              "TTFT shows no change of level after the first %.1f s, in which the engine fills; its"
                  + " mean has no interval (%s).",
              filling,
              missing.reason());
    };
  }

  private static SteadyState unsteady(SteadyState.Verdict verdict, String why, String text) {
    Figure none = Figure.missing(why);
    return new SteadyState(verdict, none, none, Interval.missing(why), text);
  }

  /** Leading batches whose requests all ended by a moment after the window's origin. */
  private int batchesEndedBy(BatchMeans batches, int count, double seconds) {
    int ended = 0;
    while (ended < count && window.secondsAfterOrigin(batches.endNanos(ended)) <= seconds) {
      ended++;
    }
    return ended;
  }

  private Overload overload() {
    if (loop == LoopShape.CLOSED) {
      return cannotTell("closed loop: requests in flight are fixed, overload cannot show");
    }
    if (samples.requests() < FEWEST_REQUESTS) {
      return cannotTell("n=%s, need %s".formatted(samples.requests(), FEWEST_REQUESTS));
    }
    int filling = fillingBins(fillingSeconds());
    if (filling <= LONGEST_FILLING * PhaseSamples.BINS) {
      return overload(filling);
    }
    // A queue makes every stay long; those who came before it tell how long the engine fills.
    int early = fillingBins(FILLING_STAYS * samples.earlyStaySeconds());
    Optional<Overload> pilesUp =
        Optional.of(early)
            .filter(bins -> bins <= LONGEST_FILLING * PhaseSamples.BINS)
            .map(this::overload)
            .filter(one -> one.verdict() == Overload.Verdict.OVERLOADED);
    return pilesUp.orElseGet(() -> cannotTell("the phase is not much longer than its requests"));
  }

  private Overload overload(int filling) {
    double[] means = samples.inFlight(filling, GrowthTrend.BATCHES);
    int usedBins = (PhaseSamples.BINS - filling) / GrowthTrend.BATCHES * GrowthTrend.BATCHES;
    double seconds = samples.lengthSeconds() * usedBins / PhaseSamples.BINS;
    GrowthTrend trend = GrowthTrend.of(means, seconds / GrowthTrend.BATCHES);
    boolean isOverload =
        trend.isOverload((double) samples.requests() * usedBins / PhaseSamples.BINS);
    return new Overload(
        isOverload ? Overload.Verdict.OVERLOADED : Overload.Verdict.NO_GROWTH_SEEN,
        Figure.of(trend.slopePerSecond()),
        Figure.of(trend.pValue()),
        Figure.of(trend.relativeGrowth()),
        text(trend, isOverload));
  }

  private static String text(GrowthTrend trend, boolean isOverload) {
    if (isOverload) {
      return Formatted.of(
          "Requests pile up by %.3f per second: the load is beyond capacity.",
          trend.slopePerSecond());
    }
    return trend.isGrowth()
        ? Formatted.of(
            "Requests in flight grew by %.1f, no more than chance explains for so many arrivals.",
            trend.gained())
        : "No growth is seen; a small overload would show only in a longer phase.";
  }

  private int fillingBins(double seconds) {
    return (int) Math.min(
        PhaseSamples.BINS, Math.ceil(seconds / samples.lengthSeconds() * PhaseSamples.BINS));
  }

  private double fillingSeconds() {
    double stay = samples.e2e().count() == 0 ? 0 : samples.e2e().plainQuantileSeconds(0.5);
    return FILLING_STAYS * stay;
  }

  private static Overload cannotTell(String why) {
    Figure none = Figure.missing(why);
    return new Overload(
        Overload.Verdict.CANNOT_TELL, none, none, none, "Cannot tell: " + why + ".");
  }
}
