package tallystick.analysis.exporters;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tallystick.scenario.Exporter.Metric;
import tallystick.scenario.Exporter.Quantity;
import tallystick.scenario.TableLines;

/** Points before the engine whose metrics need no explanation by the user. */
final class KnownGateways {
  private static final List<Metric> ALL = read();

  private KnownGateways() {}

  /** The user's meanings, and the known ones for what the user left open. */
  static List<Metric> with(List<Metric> own) {
    return Stream.concat(
            own.stream(),
            ALL.stream().filter(
                known -> own.stream().noneMatch(m -> m.quantity() == known.quantity())))
        .toList();
  }

  private static List<Metric> read() {
    return TableLines.of(KnownGateways.class, "known-gateways.txt").stream()
        .map(line -> line.split(" \\| "))
        .map(
            cells -> new Metric(
                Quantity.valueOf(cells[0]), cells[1], Map.of(),
                cells.length > 2 ? cells[2] : "", 1))
        .toList();
  }
}
