package tallystick.scrape;

import tallystick.runrecord.RunClock;

/** Chooses where a target's rows come from. */
final class RowSources {
  private RowSources() {}

  /** The source a metrics URL stands for. */
  static RowSource of(int target, MetricsUrl url, HttpFetch fetch, RunClock clock) {
    if (url.isFile()) {
      return new FileRows(target, url, clock);
    }
    return url.isPrometheus()
        ? new PrometheusRows(target, url, fetch, clock)
        : new DirectRows(target, url, fetch, clock);
  }
}
