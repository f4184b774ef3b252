package tallystick.alerting.derivation;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tallystick.analysis.statistics.BlockBootstrap;

/**
 * What chance leaves open: the windows of one step of one run are drawn together, with
 * replacement, and the threshold is fitted again.
 *
 * @param areaLow lower end of the 90 % interval of the area under the curve
 * @param areaHigh upper end of it
 * @param thresholdLow lower end of the 90 % interval of the threshold
 * @param thresholdHigh upper end of it
 */
record ClusterBootstrap(
    double areaLow, double areaHigh, double thresholdLow, double thresholdHigh) {
  private static final double LOW = 0.05; // of a 90 % interval
  private static final double HIGH = 0.95; // of a 90 % interval

  /** Empty if hardly any resample has both labels. */
  static Optional<ClusterBootstrap> of(
      Signal signal, List<LabelledWindow> windows, HeldOut.Fitter fitter, long seed) {
    List<List<LabelledWindow>> clusters =
        List.copyOf(
            windows.stream()
                .collect(
                    Collectors.groupingBy(
                        one -> one.row().place().cluster(), LinkedHashMap::new,
                        Collectors.toList()))
                .values());
    BlockBootstrap random = new BlockBootstrap(seed);
    double[] areas = new double[BlockBootstrap.RESAMPLES];
    double[] thresholds = new double[BlockBootstrap.RESAMPLES];
    int used = 0;
    for (int b = 0; b < BlockBootstrap.RESAMPLES; b++) {
      LabelledValues drawn =
          LabelledValues.of(
              signal,
              IntStream.of(random.positions(clusters.size()))
                  .boxed()
                  .flatMap(cluster -> clusters.get(cluster).stream())
                  .toList());
      Optional<ThresholdFit> fit = fitter.apply(drawn);
      if (fit.isPresent()) {
        areas[used] = drawn.areaUnderCurve();
        thresholds[used++] = fit.get().threshold();
      }
    }
    if (used < BlockBootstrap.RESAMPLES / 2) {
      return Optional.empty();
    }
    Arrays.sort(areas, 0, used);
    Arrays.sort(thresholds, 0, used);
    double[] sortedAreas = Arrays.copyOf(areas, used);
    double[] sortedThresholds = Arrays.copyOf(thresholds, used);
    return Optional.of(
        new ClusterBootstrap(
            BlockBootstrap.quantile(sortedAreas, LOW),
            BlockBootstrap.quantile(sortedAreas, HIGH),
            BlockBootstrap.quantile(sortedThresholds, LOW),
            BlockBootstrap.quantile(sortedThresholds, HIGH)));
  }
}
