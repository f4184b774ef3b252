package tallystick.simengine;

/** How Python's client library lays out its samples. */
enum ExpositionFormat {
  /** Prometheus text: {@code _created} series in families of their own. */
  TEXT,

  /** OpenMetrics with the colon in its names. */
  OPEN_METRICS,

  /**
   * OpenMetrics as it is given to a reader that names no escaping: {@code vllm_} in samples, while
   * HELP and TYPE keep the colon.
   */
  OPEN_METRICS_UNDERSCORES;

  boolean isOpenMetrics() {
    return this != TEXT;
  }

  /** A sample's name as the format writes it. */
  String spelled(String name) {
    return this == OPEN_METRICS_UNDERSCORES ? name.replace(':', '_') : name;
  }
}
