package tallystick.promql;

/** The two dialects of Prometheus whose answers differ for the same samples. */
public enum PrometheusVersion {
  /** The 2.x line up to 2.55, as 2.42 does it. */
  V2_42("2.42"),
  /** 3.x: ranges are open at their left end. */
  V3("3.x");

  private final String text;

  PrometheusVersion(String text) {
    this.text = text;
  }

  /** Whether a sample exactly at {@code t - range} is outside the range. */
  boolean isLeftOpen() {
    return this == V3;
  }

  /** Whether {@code atan2} leaves the metric its name, as 2.42 forgot to take it away. */
  boolean namesArcTangents() {
    return this == V2_42;
  }

  /** As a reader writes it, for example {@code 2.42}. */
  public String text() {
    return text;
  }
}
