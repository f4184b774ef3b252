package tallystick.alerting.derivation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.analysis.result.Judgement.Verdict;
import tallystick.analysis.statistics.BlockBootstrap;

/**
 * What chance leaves open: the windows of one step of one run are drawn together, with
 * replacement, and the threshold is fitted again.
 *
 * @param areaLow lower end of the 90 % interval of the area under the curve
 * @param areaHigh upper end of it
 * @param thresholdLow lower end of the 90 % interval of the threshold
 * @param thresholdHigh upper end of it
 * @param used resamples that had both labels
 */
record ClusterBootstrap(
    double areaLow, double areaHigh, double thresholdLow, double thresholdHigh, int used) {
  private static final double LOW = 0.05; // of a 90 % interval
  private static final double HIGH = 0.95; // of a 90 % interval

  /** Empty if hardly any resample has both labels. */
  static Optional<ClusterBootstrap> of(
      Signal signal,
      List<WindowRow> rows,
      List<Verdict> labels,
      HeldOut.Fitter fitter,
      long seed) {
    Map<String, List<Integer>> byCluster = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      byCluster
          .computeIfAbsent(rows.get(i).place().cluster(), any -> new ArrayList<>())
          .add(i);
    }
    List<List<Integer>> clusters = List.copyOf(byCluster.values());
    BlockBootstrap random = new BlockBootstrap(seed);
    double[] areas = new double[BlockBootstrap.RESAMPLES];
    double[] thresholds = new double[BlockBootstrap.RESAMPLES];
    int used = 0;
    for (int b = 0; b < BlockBootstrap.RESAMPLES; b++) {
      LabelledValues drawn =
          draw(signal, rows, labels, clusters, random.positions(clusters.size()));
      Optional<ThresholdFit> fit = fitter.apply(drawn);
      if (fit.isPresent()) {
        areas[used] = drawn.areaUnderCurve();
        thresholds[used++] = fit.get().threshold();
      }
    }
    if (used < BlockBootstrap.RESAMPLES / 2) {
      return Optional.empty();
    }
    double[] sortedAreas = Arrays.copyOf(areas, used);
    double[] sortedThresholds = Arrays.copyOf(thresholds, used);
    Arrays.sort(sortedAreas);
    Arrays.sort(sortedThresholds);
    return Optional.of(
        new ClusterBootstrap(
            BlockBootstrap.quantile(sortedAreas, LOW),
            BlockBootstrap.quantile(sortedAreas, HIGH),
            BlockBootstrap.quantile(sortedThresholds, LOW),
            BlockBootstrap.quantile(sortedThresholds, HIGH),
            used));
  }

  private static LabelledValues draw(
      Signal signal,
      List<WindowRow> rows,
      List<Verdict> labels,
      List<List<Integer>> clusters,
      int[] drawn) {
    List<WindowRow> chosen = new ArrayList<>();
    List<Verdict> chosenLabels = new ArrayList<>();
    for (int cluster : drawn) {
      for (int index : clusters.get(cluster)) {
        chosen.add(rows.get(index));
        chosenLabels.add(labels.get(index));
      }
    }
    return LabelledValues.of(signal, chosen, chosenLabels);
  }
}
