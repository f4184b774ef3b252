package tallystick.experiment.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tallystick.experiment.RateFormat;

/**
 * An engine that keeps less in the later half of a long run than in the first: it spends credit, or
 * a cache fills. What the later halves hold is what it sustains.
 *
 * @param firstPerSecond the largest rate that first halves hold
 * @param perSecond the largest rate that later halves hold
 * @param interval of that rate
 */
record SustainedRate(double firstPerSecond, double perSecond, RateInterval interval) {

  /**
   * Told where the two halves' intervals lie apart. Where the first halves' rate lies above the
   * ceiling, a queue that grows from half to half is enough to explain it.
   *
   * @param highest rate that an engine can carry; infinite where nothing bounds it
   */
  static Optional<SustainedRate> of(List<ProbeResult> probes, double share, double highest) {
    Optional<GoodputLogitModel> first =
        curve(probes, share, one -> one.figures().firstHalf());
    Optional<GoodputLogitModel> later = curve(probes, share, SustainedRate::laterHalf);
    if (first.isEmpty() || later.isEmpty() || first.get().rate() > highest) {
      return Optional.empty();
    }
    RateInterval below = later.get().span(CapacitySearch.CONFIDENCE);
    return below.high() < first.get().span(CapacitySearch.CONFIDENCE).low()
        ? Optional.of(new SustainedRate(first.get().rate(), later.get().rate(), below))
        : Optional.empty();
  }

  private static ProbeFigures.Kept laterHalf(ProbeResult one) {
    ProbeFigures.Kept first = one.figures().firstHalf();
    return new ProbeFigures.Kept("", one.good() - first.good(), one.judged() - first.judged());
  }

  private static Optional<GoodputLogitModel> curve(
      List<ProbeResult> probes, double share, Function<ProbeResult, ProbeFigures.Kept> half) {
    List<GoodputLogitModel.Point> points = new ArrayList<>();
    for (ProbeResult one : probes) {
      ProbeFigures.Kept kept = half.apply(one);
      if (one.isTrusted() && one.probe().isLong() && one.figures().firstHalf().judged() > 0
          && kept.judged() > 0) {
        points.add(
            new GoodputLogitModel.Point(
                one.probe().perSecond(), 0, one.probe().measuredSeconds() / 2, kept.judged(),
                kept.judged() - kept.good()));
      }
    }
    return GoodputLogitModel.through(points, 1 - share);
  }

  /** For a screen. */
  String words(String unit) {
    return RateFormat.text(perSecond) + " " + unit + " (likely " + interval.likely()
        + "): the good share falls during a run; the first half alone holds "
        + RateFormat.text(firstPerSecond)
        + "; spent burst credit or a filling cache would explain it";
  }
}
