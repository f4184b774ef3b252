package tallystick.analysis;

import java.util.List;
import java.util.Locale;
import tallystick.analysis.PhaseAnalysis.Overload;
import tallystick.analysis.PhaseAnalysis.SteadyState;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;

/** Judges one phase by itself: steady or not, overloaded or not, where it changed. */
final class PhaseJudge {
  private static final int FEWEST_REQUESTS = 60;

  /** The filling of an empty engine takes about the time requests stay in it. */
  private static final double FILLING_STAYS = 2;

  private static final double LONGEST_FILLING = 0.5;

  private final PhaseSamples samples;
  private final Window window;
  private final LoopShape loop;

  PhaseJudge(PhaseSamples samples, Window window, LoopShape loop) {
    this.samples = samples;
    this.window = window;
    this.loop = loop;
  }

  PhaseAnalysis analysis() {
    Phase phase = samples.phase();
    return new PhaseAnalysis(
        phase.name(),
        window.secondsAfterOrigin(samples.startNanos()),
        window.secondsAfterOrigin(samples.endNanos()),
        phase.requestsPerSecond() > 0
            ? Figure.of(phase.requestsPerSecond())
            : Figure.missing("no constant rate"),
        samples.requests(),
        samples.ok(),
        samples.ttft().distribution(),
        samples.e2e().distribution(),
        samples.largestGaps().distribution(),
        samples.chunkGaps().distribution(),
        steadyState(),
        overload(),
        changes(),
        samples.objectives());
  }

  private SteadyState steadyState() {
    double[] means = samples.ttftBatches().means();
    if (means.length < SteadyStateCut.FEWEST_BATCHES) {
      String why =
          "n=%d, need %d"
              .formatted(
                  samples.requests(), SteadyStateCut.FEWEST_BATCHES * SteadyStateCut.BATCH);
      Figure none = Figure.missing(why);
      return new SteadyState("too_few", none, none, "Too few requests to find a transient.");
    }
    SteadyStateCut cut = SteadyStateCut.of(means, samples.ttftBatches().batchSize());
    if (cut.atLimit()) {
      Figure none = Figure.missing("the best cut is the longest allowed one");
      return new SteadyState(
          "no_steady_state", none, none,
          "TTFT does not settle: run longer, or the load is beyond capacity.");
    }
    double seconds =
        cut.batches() == 0
            ? window.secondsAfterOrigin(samples.startNanos())
            : window.secondsAfterOrigin(samples.ttftBatches().endNanos(cut.batches() - 1));
    return new SteadyState(
        "steady", Figure.of(cut.observations()), Figure.of(seconds),
        SteadyMean.of(means, cut.batches()),
        cut.observations() == 0
            ? "TTFT is steady from the start."
            : String.format(
                Locale.ROOT,
                "TTFT is steady after the first %d requests, that is from %.1f s on.",
                cut.observations(),
                seconds));
  }

  private Overload overload() {
    if (loop == LoopShape.CLOSED) {
      return cannotTell("closed loop: requests in flight are fixed, overload cannot show");
    }
    if (samples.requests() < FEWEST_REQUESTS) {
      return cannotTell("n=%d, need %d".formatted(samples.requests(), FEWEST_REQUESTS));
    }
    int filling = fillingBins();
    if (filling > LONGEST_FILLING * PhaseSamples.BINS) {
      return cannotTell("the phase is not much longer than its requests");
    }
    double[] means = samples.inFlight(filling, GrowthTrend.BATCHES);
    int usedBins = (PhaseSamples.BINS - filling) / GrowthTrend.BATCHES * GrowthTrend.BATCHES;
    double seconds = samples.lengthSeconds() * usedBins / PhaseSamples.BINS;
    GrowthTrend trend = GrowthTrend.of(means, seconds / GrowthTrend.BATCHES);
    String text =
        trend.isOverload()
            ? String.format(
                Locale.ROOT,
                "Requests pile up by %.3f per second: the load is beyond capacity.",
                trend.slopePerSecond())
            : "No growth is seen; a small excess would need a longer phase to show.";
    return new Overload(
        trend.isOverload() ? "overloaded" : "no_growth_seen",
        Figure.of(trend.slopePerSecond()),
        Figure.of(trend.pValue()),
        Figure.of(trend.relativeGrowth()),
        text);
  }

  private int fillingBins() {
    double stay = samples.e2e().count() == 0 ? 0 : samples.e2e().plainQuantileSeconds(0.5);
    return (int)
        Math.ceil(FILLING_STAYS * stay / samples.lengthSeconds() * PhaseSamples.BINS);
  }

  private List<PhaseAnalysis.ChangePoint> changes() {
    return new ChangePoints(samples, window).find();
  }

  private static Overload cannotTell(String why) {
    Figure none = Figure.missing(why);
    return new Overload("cannot_tell", none, none, none, "Cannot tell: " + why + ".");
  }
}
