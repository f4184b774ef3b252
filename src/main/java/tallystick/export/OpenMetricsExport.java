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
public record OpenMetricsExport(RunRows rows) {
  /**
   * What an export leaves out.
   *
   * @param scrapes that began in the millisecond of the one before
   * @param lullSeconds of the client's series, in lulls of more than an hour
   */
  public record LeftOut(long scrapes, long lullSeconds) {}

  /**
   * Writes everything.
   *
   * @return what is not in it
   */
  public LeftOut write(Writer out) throws IOException {
    Manifest manifest = rows.manifest();
    MetricTable table = new MetricTable();
    EngineSeries engine = EngineSeries.ofTargets(manifest, table);
    EngineSeries exporters =
        EngineSeries.ofExporters(manifest, rows.settings().exporters(), table);
    EngineEdges edges = new EngineEdges();
    rows.eachScrape(
        row -> {
          engine.add(row);
          edges.read(row);
        });
    rows.eachExporterScrape(exporters::add);
    ClientSeries client = new ClientSeries(manifest, edges);
    rows.eachRequest(client::add);
    long lullSeconds = client.fill(table);
    OpenMetricsText.write(table, out);
    return new LeftOut(engine.leftOut() + exporters.leftOut(), lullSeconds);
  }
}
