package tallystick.simengine;

import java.util.Locale;

/**
 * What {@code /metrics/} answers with, as Python's client library decides it: the first media type
 * of the Accept header that it knows in version 1.0.0 or newer, and plain text 0.0.4 otherwise.
 * Weights are ignored.
 *
 * @param format how the samples are laid out
 * @param contentType what the answer says it is
 */
record MetricsNegotiation(ExpositionFormat format, String contentType) {
  private static final MetricsNegotiation PLAIN =
      new MetricsNegotiation(ExpositionFormat.TEXT, "text/plain; version=0.0.4; charset=utf-8");

  /** The answer to an Accept header; an empty one stands for none. */
  static MetricsNegotiation of(String accept) {
    for (String accepted : accept.split(",")) {
      String[] parts = accepted.split(";");
      String version = option(parts, "version");
      boolean isNew = major(version) >= 1;
      switch (parts[0].strip()) {
        case "application/openmetrics-text" -> {
          if (version.isEmpty() || isNew) {
            return openMetrics(version, option(parts, "escaping"));
          }
        }
        case "text/plain" -> {
          if (isNew) {
            return new MetricsNegotiation(
                ExpositionFormat.TEXT,
                "text/plain; version=1.0.0; charset=utf-8; escaping="
                    + escaping(option(parts, "escaping")));
          }
        }
        default -> {
          // Of any other type nothing is offered.
        }
      }
    }
    return PLAIN;
  }

  /** Whether an Accept-Encoding header allows gzip. */
  static boolean allowsGzip(String acceptEncoding) {
    for (String accepted : acceptEncoding.split(",")) {
      if (accepted.split(";")[0].strip().toLowerCase(Locale.ROOT).equals("gzip")) {
        return true;
      }
    }
    return false;
  }

  private static MetricsNegotiation openMetrics(String version, String asked) {
    String escaping = escaping(asked);
    String type = "application/openmetrics-text; version=";
    if (version.isEmpty()) {
      return new MetricsNegotiation(
          ExpositionFormat.OPEN_METRICS_UNDERSCORES, type + "1.0.0; charset=utf-8");
    }
    return new MetricsNegotiation(
        escaping.equals("allow-utf-8")
            ? ExpositionFormat.OPEN_METRICS
            : ExpositionFormat.OPEN_METRICS_UNDERSCORES,
        type + version + "; charset=utf-8; escaping=" + escaping);
  }

  /** The schemes dots and values are not offered; underscores take their place. */
  private static String escaping(String asked) {
    return asked.equals("allow-utf-8") ? asked : "underscores";
  }

  private static String option(String[] parts, String name) {
    for (int i = 1; i < parts.length; i++) {
      String part = parts[i].strip();
      if (part.startsWith(name + "=")) {
        return part.substring(name.length() + 1);
      }
    }
    return "";
  }

  private static int major(String version) {
    String first = version.split("\\.")[0];
    return first.matches("\\d{1,4}") ? Integer.parseInt(first) : 0;
  }
}
