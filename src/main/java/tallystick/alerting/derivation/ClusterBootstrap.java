package tallystick.alerting.derivation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
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
    DoubleStream.Builder areas = DoubleStream.builder();
    DoubleStream.Builder thresholds = DoubleStream.builder();
    for (int b = 0; b < BlockBootstrap.RESAMPLES; b++) {
      LabelledValues drawn =
          LabelledValues.of(
              signal,
              IntStream.of(random.positions(clusters.size()))
                  .boxed()
                  .flatMap(cluster -> clusters.get(cluster).stream())
                  .toList());
      fitter
          .apply(drawn)
          .ifPresent(
              fit -> {
                areas.add(drawn.areaUnderCurve());
                thresholds.add(fit.threshold());
              });
    }
    double[] sortedAreas = areas.build().sorted().toArray();
    double[] sortedThresholds = thresholds.build().sorted().toArray();
    if (sortedAreas.length < BlockBootstrap.RESAMPLES / 2) {
      return Optional.empty();
    }
    return Optional.of(
        new ClusterBootstrap(
            BlockBootstrap.quantile(sortedAreas, LOW),
            BlockBootstrap.quantile(sortedAreas, HIGH),
            BlockBootstrap.quantile(sortedThresholds, LOW),
            BlockBootstrap.quantile(sortedThresholds, HIGH)));
  }
}
