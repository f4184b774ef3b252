package tallystick.analysis.exporters;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tallystick.scenario.Exporter.Metric;
import tallystick.scenario.Exporter.Quantity;

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
    try (InputStream file = KnownGateways.class.getResourceAsStream("known-gateways.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.split(" \\| "))
          .map(
              cells -> new Metric(
                  Quantity.valueOf(cells[0]), cells[1], Map.of(),
                  cells.length > 2 ? cells[2] : "", 1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
