package tallystick.export;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import tallystick.runrecord.Series;

/** A table of metrics as OpenMetrics text with timestamps. */
final class OpenMetricsText {
  private OpenMetricsText() {}

  /** Writes every point of a table. */
  static void write(MetricTable table, Writer out) throws IOException {
    for (Map.Entry<String, MetricTable.Family> family : table.families().entrySet()) {
      out.write("# TYPE " + name(family.getKey()) + " " + family.getValue().type() + "\n");
      for (MetricTable.Points points : family.getValue().metrics().values()) {
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
