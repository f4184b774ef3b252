package tallystick.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One more endpoint with Prometheus metrics, scraped beside the targets: GPU telemetry, the
 * engine's host, a gateway or a front end before the engine.
 *
 * @param name what the report calls it, for example {@code gateway}
 * @param url its exposition, or the query API of a Prometheus that scrapes it
 * @param labels only series with these label values are read in the analysis; empty takes all.
 *     The record holds every series
 * @param metrics what the user says its metrics mean; may be empty for names the vocabulary knows
 */
public record Exporter(
    String name, String url, Map<String, String> labels, List<Metric> metrics) {

  /** What a metric of a gateway may mean. */
  public enum Quantity {
    /** Counter of requests answered. */
    REQUESTS,
    /** Counter of requests that failed. */
    ERRORS,
    /** Counter or histogram of prompt tokens. */
    PROMPT_TOKENS,
    /** Counter or histogram of output tokens. */
    OUTPUT_TOKENS,
    /** Histogram of the time to the first token, or to the first byte of the answer. */
    TTFT,
    /** Histogram of the gaps between tokens. */
    ITL,
    /** Histogram of whole requests. */
    E2E,
    /** Gauge of requests under way. */
    IN_FLIGHT;

    /** Whether its unit is one of time. */
    public boolean isTime() {
      return this == TTFT || this == ITL || this == E2E;
    }

    /** Whether it can be told apart by a status. */
    public boolean isCounted() {
      return this == REQUESTS || this == ERRORS;
    }
  }

  /**
   * One metric with the meaning the user gives it.
   *
   * @param quantity what it means
   * @param family its family name as exposed; a counter's with or without {@code _total}
   * @param labels label name → the values that count; a series needs one of each
   * @param by label whose values tell the requests apart, for example {@code code}; may be empty
   * @param unitSeconds length of its unit of time; 1 where it is none
   */
  public record Metric(
      Quantity quantity,
      String family,
      Map<String, List<String>> labels,
      String by,
      double unitSeconds) {
    public Metric {
      labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }
  }

  public Exporter {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    metrics = List.copyOf(metrics);
  }
}
