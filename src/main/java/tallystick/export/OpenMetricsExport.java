package tallystick.export;

import java.io.IOException;
import java.io.Writer;
import tallystick.runrecord.EngineEdges;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RunRows;

/**
 * A run as OpenMetrics text with timestamps, which {@code promtool tsdb create-blocks-from
 * openmetrics} loads into a Prometheus.
 *
 * <p>The engine's samples stand as they were scraped, at the start of their scrape; a missed scrape
 * is a hole with {@code up} at 0. The client's series are in {@link ClientSeries}.
 */
public final class OpenMetricsExport {
  private final RunRows rows;

  /**
   * What an export leaves out.
   *
   * @param scrapes that began in the millisecond of the one before
   * @param lullSeconds of the client's series, in lulls of more than an hour
   */
  public record LeftOut(long scrapes, long lullSeconds) {}

  /** An export of these rows. */
  public OpenMetricsExport(RunRows rows) {
    this.rows = rows;
  }

  /**
   * Writes everything.
   *
   * @return what is not in it
   */
  public LeftOut write(Writer out) throws IOException {
    Manifest manifest = rows.manifest();
    MetricTable table = new MetricTable();
    EngineSeries engine = EngineSeries.ofTargets(manifest, table);
    EngineEdges edges = new EngineEdges();
    rows.eachScrape(
        row -> {
          engine.add(row);
          edges.read(row);
        });
    long leftOut = engine.leftOut() + addExporters(manifest, table);
    ClientSeries client = new ClientSeries(manifest, edges);
    rows.eachRequest(client::add);
    long lullSeconds = client.fill(table);
    OpenMetricsText.write(table, out);
    return new LeftOut(leftOut, lullSeconds);
  }

  private long addExporters(Manifest manifest, MetricTable table) {
    EngineSeries[] exporters = new EngineSeries[1];
    rows.eachExporterScrape(
        row -> {
          if (exporters[0] == null) {
            exporters[0] =
                EngineSeries.ofExporters(manifest, rows.settings().exporters(), table);
          }
          exporters[0].add(row);
        });
    return exporters[0] == null ? 0 : exporters[0].leftOut();
  }
}
