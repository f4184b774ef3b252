package tallystick.analysis.exporters;

import java.util.ArrayList;
import java.util.List;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.result.ExporterAccount;
import tallystick.analysis.result.ExporterAccount.ExporterScrapes;
import tallystick.analysis.result.ExporterAccount.Gpu;
import tallystick.analysis.result.ExporterAccount.MeasuringPoint;
import tallystick.analysis.result.ExporterAccount.PointOrder;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.runrecord.RunRows;
import tallystick.scenario.Exporter;

/** What the exporters say of a run, and what a reader must know of it. */
public final class Exporters {
  private final List<ExporterReading> exporters = new ArrayList<>();
  private final MeasuredWindow window;
  private final double intervalSeconds;

  private Exporters(MeasuredWindow window, double intervalSeconds) {
    this.window = window;
    this.intervalSeconds = intervalSeconds;
  }

  /** One pass over the exporters' scrapes. */
  public static Exporters of(RunRows rows, MeasuredWindow window) {
    Exporters reader = new Exporters(window, rows.settings().timing().scrapeIntervalNanos() / 1e9);
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

  /** What Dynamo's frontends among them counted. */
  public FrontendCounts frontends() {
    return new FrontendCounts(exporters);
  }

  /** All of it. */
  public ExporterAccount account(HopMetrics measuring, Figure outputTokens, double loadSeconds) {
    List<MeasuringPoint> points = measuring.all(exporters);
    List<Gpu> gpus = GpuAccounts.of(exporters);
    return new ExporterAccount(
        points,
        PointOrders.of(points),
        gpus,
        GpuAccounts.energy(gpus, outputTokens, loadSeconds),
        HostAccounts.of(exporters),
        exporters.stream().map(Exporters::scrapes).toList());
  }

  /** What spoils these figures, or the run. */
  public List<Finding> findings(ExporterAccount account) {
    List<Finding> findings = new ArrayList<>();
    exporters.forEach(
        exporter -> findings.addAll(ExporterFindings.of(exporter, window, intervalSeconds)));
    account.gpus().forEach(gpu -> GpuFindings.add(findings, gpu));
    account.orders().stream()
        .filter(order -> order.verdict() == PointOrder.Verdict.BROKEN)
        .forEach(order -> findings.add(broken(order)));
    return findings;
  }

  private static ExporterScrapes scrapes(ExporterReading exporter) {
    return new ExporterScrapes(
        exporter.exporter().name(),
        exporter.exporter().url(),
        exporter.tracks().size(),
        ExporterFindings.understood(exporter),
        exporter.goodScrapes(),
        exporter.failedScrapes(),
        exporter.underLoad().holeSeconds());
  }

  private static Finding broken(PointOrder order) {
    return new Finding(Code.VANTAGE_ORDER,
        order.quantity() + " grows on the way to the engine: "
            + order.detail() + ".",
        "Check that the points lie on one way and in this order, and what they time.");
  }
}
