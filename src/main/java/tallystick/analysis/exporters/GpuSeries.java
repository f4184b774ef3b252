package tallystick.analysis.exporters;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Series;

/**
 * What dcgm-exporter says of one GPU, whoever uses it. Some of its labels change with the value
 * ({@code err_code} of an XID) or with the pod on the GPU; the hardware and its counters stay.
 */
final class GpuSeries {
  private static final Set<String> HARDWARE =
      Set.of(
          "gpu", "UUID", "pci_bus_id", "device", "modelName", "GPU_I_PROFILE", "GPU_I_ID",
          "hostname", "Hostname", "instance");

  private GpuSeries() {}

  /** The same series with the labels of the hardware only; any other series as it is. */
  static Series of(Series series) {
    boolean isOfGpu =
        MetricVocabulary.standard()
            .entryOf(series.name())
            .filter(entry -> entry.concept().name().startsWith("GPU_"))
            .isPresent();
    if (!isOfGpu) {
      return series;
    }
    Map<String, String> labels = new TreeMap<>(series.labels());
    labels.keySet().retainAll(HARDWARE);
    return Series.of(series.name(), labels, series.type());
  }
}
