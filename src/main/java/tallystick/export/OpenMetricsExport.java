package tallystick.export;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.RunRows;
import tallystick.runrecord.Series;

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
          if (row.isGood() && !edges.isKnown()) {
            edges.read(row);
          }
        });
    long leftOut = engine.leftOut() + addExporters(manifest, table);
    ClientSeries client = new ClientSeries(manifest, edges);
    rows.eachRequest(client::add);
    long lullSeconds = client.fill(table);
    write(table, out);
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

  private static void write(MetricTable table, Writer out) throws IOException {
    for (Map.Entry<String, MetricTable.Family> family : table.families().entrySet()) {
      out.write("# TYPE " + name(family.getKey()) + " " + family.getValue().type + "\n");
      for (MetricTable.Points points : family.getValue().metrics.values()) {
        for (int i = 0; i < points.count(); i++) {
          writePoint(out, points, i);
        }
      }
    }
    out.write("# EOF\n");
  }

  private static void writePoint(Writer out, MetricTable.Points points, int i)
      throws IOException {
    Series series = points.series(i);
    long millis = points.utcMillis(i);
    out.write(name(series.name()));
    writeLabels(out, series.labels());
    out.write(' ');
    out.write(number(points.value(i)));
    out.write(String.format(Locale.ROOT, " %d.%03d\n", millis / 1000, millis % 1000));
  }

  private static void writeLabels(Writer out, SortedMap<String, String> labels)
      throws IOException {
    char before = '{';
    for (Map.Entry<String, String> label : labels.entrySet()) {
      out.write(before);
      out.write(name(label.getKey()).replace(':', '_'));
      out.write("=\"");
      out.write(label.getValue().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
      out.write('"');
      before = ',';
    }
    if (!labels.isEmpty()) {
      out.write('}');
    }
  }

  /** A name every Prometheus takes: other characters become underscores. */
  private static String name(String name) {
    String plain = name.replaceAll("[^a-zA-Z0-9_:]", "_");
    return Character.isDigit(plain.charAt(0)) ? "_" + plain : plain;
  }

  /** A number as expositions write it. */
  static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return Double.toString(value);
  }
}
