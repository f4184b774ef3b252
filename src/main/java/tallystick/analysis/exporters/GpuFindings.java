package tallystick.analysis.exporters;

import java.util.List;
import java.util.stream.Collectors;
import tallystick.analysis.result.ExporterAccount.Gpu;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.scenario.Formatted;

/** What a reader must know of one GPU before trusting a run on it. */
final class GpuFindings {
  private GpuFindings() {}

  static void add(List<Finding> findings, Gpu gpu) {
    if (gpu.vanished()) {
      findings.add(new Finding(Code.GPU_VANISHED,
          gpu.device() + " was shown when the load began and no more when it ended.",
          "See whether the GPU fell off the bus, or only its exporter lost it."));
    }
    if (!gpu.xidsUnderLoad().isEmpty()) {
      findings.add(new Finding(Code.GPU_ERROR,
          gpu.device() + " reported a new error under load ("
              + gpu.xidsUnderLoad().stream()
                  .map(GpuFindings::number)
                  .collect(Collectors.joining(", "))
              + "). The engine's figures may be those of a broken GPU.",
          "Look up the number in NVIDIA's list of XID errors."));
    } else if (gpu.lastXid() instanceof Figure.Known xid && xid.value() != 0) {
      findings.add(new Finding(Code.GPU_ERROR_BEFORE,
          gpu.device() + " shows an error from before or after the load ("
              + number(xid.value()) + ")."));
    }
  }

  private static String number(double xid) {
    return Formatted.of("XID %.0f", xid);
  }
}
