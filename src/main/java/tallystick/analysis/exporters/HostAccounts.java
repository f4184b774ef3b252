package tallystick.analysis.exporters;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import tallystick.analysis.result.ExporterAccount.Host;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.GaugeRange;
import tallystick.runrecord.MetricConcept;

/** The hosts that the exporters show, as node_exporter names what they do. */
final class HostAccounts {
  /** Modes of {@code node_cpu_seconds_total} in which a processor does nothing. */
  private static final Set<String> RESTING = Set.of("idle", "iowait");

  /** Time of guests is counted a second time, in {@code user} and {@code nice}. */
  private static final Set<String> COUNTED_TWICE = Set.of("guest", "guest_nice");

  private static final Map<String, MetricConcept> GAUGES = new LinkedHashMap<>();

  static {
    GAUGES.put("load1", MetricConcept.HOST_LOAD);
    GAUGES.put("memory_available_bytes", MetricConcept.HOST_MEMORY_AVAILABLE);
    GAUGES.put("memory_total_bytes", MetricConcept.HOST_MEMORY_TOTAL);
  }

  private HostAccounts() {}

  /** One account for each exporter that shows a host. */
  static List<Host> of(List<ExporterReading> exporters) {
    return exporters.stream().filter(HostAccounts::isHost).map(HostAccounts::host).toList();
  }

  private static boolean isHost(ExporterReading exporter) {
    return exporter.tracks(MetricConcept.HOST_CPU).findAny().isPresent()
        || exporter.tracks(MetricConcept.HOST_LOAD).findAny().isPresent();
  }

  private static Host host(ExporterReading exporter) {
    Map<String, GaugeRange> gauges = new LinkedHashMap<>();
    GAUGES.forEach(
        (word, concept) ->
            exporter.tracks(concept).findFirst()
                .flatMap(exporter::range)
                .ifPresent(range -> gauges.put(word, range)));
    long cores =
        exporter.tracks(MetricConcept.HOST_CPU)
            .map(track -> track.series().label("cpu"))
            .distinct()
            .count();
    return new Host(
        exporter.exporter().name(),
        cores,
        busy(exporter),
        gauges,
        perSecond(exporter, MetricConcept.HOST_NETWORK_RECEIVED),
        perSecond(exporter, MetricConcept.HOST_NETWORK_SENT));
  }

  private static Figure busy(ExporterReading exporter) {
    if (!exporter.coversLoad()) {
      return Figure.missing(ExporterReading.NOT_COVERED);
    }
    Optional<Double> all =
        growth(exporter, MetricConcept.HOST_CPU, mode -> !COUNTED_TWICE.contains(mode), "mode");
    Optional<Double> rest = growth(exporter, MetricConcept.HOST_CPU, RESTING::contains, "mode");
    return all.isPresent() && rest.isPresent() && all.get() > 0
        ? Figure.of(1 - rest.get() / all.get())
        : Figure.missing("its processors' times did not move under load");
  }

  private static Figure perSecond(ExporterReading exporter, MetricConcept concept) {
    if (!exporter.coversLoad()) {
      return Figure.missing(ExporterReading.NOT_COVERED);
    }
    Optional<Double> bytes = growth(exporter, concept, device -> !device.equals("lo"), "device");
    return bytes.isPresent() && exporter.loadSeconds() > 0
        ? Figure.of(bytes.get() / exporter.loadSeconds())
        : Figure.missing("not exposed");
  }

  private static Optional<Double> growth(
      ExporterReading exporter, MetricConcept concept, Predicate<String> wanted, String label) {
    return exporter.tracks(concept)
        .filter(track -> wanted.test(track.series().label(label)))
        .flatMapToDouble(track -> exporter.growthUnderLoad(track).stream())
        .boxed()
        .reduce(Double::sum);
  }
}
