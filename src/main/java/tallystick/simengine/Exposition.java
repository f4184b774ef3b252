package tallystick.simengine;

import java.math.BigDecimal;
import java.util.Map;

/** Writes metric values in the Prometheus text format 1.0.0, as Python's client library does. */
final class Exposition {
  private final StringBuilder text = new StringBuilder(1 << 16);

  private Exposition() {}

  /** The text of one or more snapshots, one after the other. */
  static String of(MetricRegistry.Snapshot... snapshots) {
    Exposition exposition = new Exposition();
    for (MetricRegistry.Snapshot snapshot : snapshots) {
      for (MetricFamily family : snapshot.families()) {
        exposition.family(family, snapshot);
      }
    }
    return exposition.text.toString();
  }

  /** A number as Python's client library writes it: {@code 1.0}, {@code 1.795e+09}. */
  static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e6) {
      return (long) value + ".0";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    String digits = decimal.unscaledValue().abs().toString();
    int pointAt = digits.length() - decimal.scale();
    String sign = value < 0 ? "-" : "";
    if (pointAt > 6 && value > 0) {
      return mantissa(digits, false) + "e+" + twoDigits(pointAt - 1);
    }
    if (pointAt <= -4) {
      return sign + mantissa(digits, true) + "e-" + twoDigits(1 - pointAt);
    }
    String plain = decimal.toPlainString();
    return plain.contains(".") ? plain : plain + ".0";
  }

  private void family(MetricFamily family, MetricRegistry.Snapshot snapshot) {
    boolean isCounter = family.type() == MetricFamily.Type.COUNTER;
    String sampleName = family.name() + (isCounter ? "_total" : "");
    head(sampleName, family.type(), family.help());
    for (MetricRegistry.Series series : snapshot.series().get(family.name())) {
      switch (family.type()) {
        case COUNTER, GAUGE ->
            sample(sampleName, series, "", snapshot.values()[series.offset()]);
        case HISTOGRAM -> histogram(series, snapshot.values());
        case SUMMARY -> {
          sample(family.name() + "_count", series, "", snapshot.values()[series.offset()]);
          sample(family.name() + "_sum", series, "", snapshot.values()[series.offset() + 1]);
        }
      }
    }
    if (hasCreated(family) && !snapshot.series().get(family.name()).isEmpty()) {
      String created = family.name() + "_created";
      head(created, MetricFamily.Type.GAUGE, family.help());
      for (MetricRegistry.Series series : snapshot.series().get(family.name())) {
        sample(created, series, "", series.createdSeconds());
      }
    }
  }

  private static boolean hasCreated(MetricFamily family) {
    boolean isOfTheProcess =
        family.name().startsWith("python_") || family.name().startsWith("process_");
    return family.type() != MetricFamily.Type.GAUGE && !isOfTheProcess;
  }

  private void histogram(MetricRegistry.Series series, double[] values) {
    double[] edges = series.family().edges();
    String name = series.family().name();
    double count = 0;
    for (int i = 0; i <= edges.length; i++) {
      count += values[series.offset() + i];
      String edge = i == edges.length ? "+Inf" : number(edges[i]);
      sample(name + "_bucket", series, edge, count);
    }
    sample(name + "_count", series, "", count);
    sample(name + "_sum", series, "", values[series.offset() + edges.length + 1]);
  }

  private void head(String name, MetricFamily.Type type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help.replace("\\", "\\\\"));
    text.append("\n# TYPE ").append(name).append(' ');
    text.append(type.name().toLowerCase(java.util.Locale.ROOT)).append('\n');
  }

  private void sample(String name, MetricRegistry.Series series, String edge, double value) {
    text.append(name);
    Map<String, String> labels = MetricRegistry.labelsOf(series);
    if (!edge.isEmpty()) {
      labels.put("le", edge);
    }
    char separator = '{';
    for (Map.Entry<String, String> label : labels.entrySet()) {
      text.append(separator).append(label.getKey()).append("=\"");
      text.append(escaped(label.getValue())).append('"');
      separator = ',';
    }
    text.append(labels.isEmpty() ? " " : "} ").append(number(value)).append('\n');
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
  }

  private static String mantissa(String digits, boolean isShort) {
    if (digits.length() == 1) {
      return isShort ? digits : digits + ".0";
    }
    return digits.charAt(0) + "." + digits.substring(1);
  }

  private static String twoDigits(int exponent) {
    return exponent < 10 ? "0" + exponent : Integer.toString(exponent);
  }
}
