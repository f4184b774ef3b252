package tallystick.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tallystick.analysis.Finding.Severity;
import tallystick.analysis.Surroundings.ExporterScrapes;
import tallystick.analysis.Surroundings.Gpu;
import tallystick.analysis.Surroundings.VantageOrder;
import tallystick.analysis.Surroundings.VantagePoint;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Exporter;

/** What the exporters say of a run, and what a reader must know of it. */
final class SurroundingsReader {
  private final List<ExporterReading> exporters = new ArrayList<>();

  private SurroundingsReader() {}

  /** One pass over the exporters' scrapes. */
  static SurroundingsReader of(RunRows rows, Window window) {
    SurroundingsReader reader = new SurroundingsReader();
    for (Exporter exporter : rows.settings().exporters()) {
      reader.exporters.add(new ExporterReading(exporter, window));
    }
    rows.eachExporterScrape(
        row -> {
          if (row.target() < reader.exporters.size()) {
            reader.exporters.get(row.target()).read(row);
          }
        });
    return reader;
  }

  /** All of it. */
  Surroundings surroundings(VantagePoints vantage, Figure outputTokens, double loadSeconds) {
    List<VantagePoint> points = vantage.all(exporters);
    List<Gpu> gpus = GpuAccounts.of(exporters);
    return new Surroundings(
        points,
        VantageOrders.of(points),
        gpus,
        GpuAccounts.energy(gpus, outputTokens, loadSeconds),
        HostAccounts.of(exporters),
        exporters.stream().map(SurroundingsReader::scrapes).toList());
  }

  /** What spoils these figures, or the run. */
  List<Finding> findings(Surroundings surroundings) {
    List<Finding> findings = new ArrayList<>();
    exporters.forEach(exporter -> addExporter(findings, exporter));
    surroundings.gpus().forEach(gpu -> addXid(findings, gpu));
    surroundings.orders().stream()
        .filter(order -> order.verdict().equals("broken"))
        .forEach(order -> findings.add(broken(order)));
    return findings;
  }

  private static ExporterScrapes scrapes(ExporterReading exporter) {
    return new ExporterScrapes(
        exporter.exporter().name(),
        exporter.exporter().url(),
        exporter.tracks().size(),
        understood(exporter),
        exporter.goodScrapes(),
        exporter.failedScrapes());
  }

  private static long understood(ExporterReading exporter) {
    long named =
        exporter.metrics().stream()
            .flatMap(metric -> exporter.tracks(metric).stream())
            .filter(track -> track.concept().isEmpty())
            .distinct()
            .count();
    return named
        + exporter.tracks().stream().filter(track -> track.concept().isPresent()).count();
  }

  private static void addExporter(List<Finding> findings, ExporterReading exporter) {
    String name = exporter.exporter().name();
    if (!exporter.hasDelta()) {
      findings.add(
          new Finding("exporter_silent", Severity.WARNING,
              "Exporter " + name + " gave " + exporter.goodScrapes() + " good scrapes and "
                  + exporter.failedScrapes() + " failed ones: too few to say anything.",
              List.of(), "Check its url, and that it answers while the load runs."));
      return;
    }
    for (Exporter.Metric metric : exporter.exporter().metrics()) {
      if (exporter.tracks(metric).isEmpty()) {
        findings.add(absent(name, metric, exporter));
      }
    }
    if (understood(exporter) == 0) {
      findings.add(
          new Finding("exporter_not_understood", Severity.NOTE,
              "None of the " + exporter.tracks().size() + " series of exporter " + name
                  + " has a meaning known here; they are in the record only.",
              List.of(), "Say what they mean under metrics: of the exporter."));
    }
    if (exporter.restarted()) {
      findings.add(
          new Finding("exporter_restarted", Severity.WARNING,
              "Exporter " + name + " or what it shows began anew during the run: its counts are"
                  + " lower bounds.",
              List.of(), ""));
    }
  }

  private static Finding absent(String name, Exporter.Metric metric, ExporterReading exporter) {
    String labels = metric.labels().isEmpty() ? "" : " with the labels " + metric.labels();
    List<String> near =
        exporter.tracks().stream()
            .filter(track -> track.series().name().startsWith(metric.family()))
            .map(track -> "it has " + track.series().name() + " " + track.series().labels())
            .distinct()
            .limit(3)
            .toList();
    return new Finding("exporter_metric_absent", Severity.WARNING,
        "Exporter " + name + " shows no " + metric.family() + labels + ": its "
            + metric.quantity().name().toLowerCase(Locale.ROOT) + " are unknown, not 0.",
        near, "Correct the name or the labels under metrics: of the exporter.");
  }

  private static void addXid(List<Finding> findings, Gpu gpu) {
    if (!(gpu.lastXid() instanceof Figure.Known xid) || xid.value() == 0 && !gpu.xidAppeared()) {
      return;
    }
    String number = String.format(Locale.ROOT, "XID %.0f", xid.value());
    findings.add(
        gpu.xidAppeared()
            ? new Finding("gpu_error", Severity.INVALID,
                gpu.device() + " reported a new error under load (" + number
                    + "): the engine was not itself.",
                List.of(), "Look the number up in NVIDIA's list of XID errors.")
            : new Finding("gpu_error_before", Severity.NOTE,
                gpu.device() + " shows an error from before the load (" + number + ").",
                List.of(), ""));
  }

  private static Finding broken(VantageOrder order) {
    return new Finding("vantage_order", Severity.WARNING,
        order.quantity().toUpperCase(Locale.ROOT) + " grows on the way to the engine: "
            + order.detail() + ".",
        List.of(),
        "Check that the points lie on one way and in this order, and what they time.");
  }
}
