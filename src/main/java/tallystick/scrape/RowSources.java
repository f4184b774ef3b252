package tallystick.scrape;

/** Chooses where a target's rows come from. */
final class RowSources {
  private RowSources() {}

  /** The source a metrics URL stands for. */
  static RowSource of(int target, MetricsUrl url, HttpFetch fetch, Origin origin) {
    if (url.isFile()) {
      return new FileRows(target, url, origin);
    }
    return url.isPrometheus()
        ? new PrometheusRows(target, url, fetch, origin)
        : new DirectRows(target, url, fetch, origin);
  }
}
