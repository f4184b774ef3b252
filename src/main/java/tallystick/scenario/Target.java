package tallystick.scenario;

/**
 * One server under test.
 *
 * @param url base URL without a trailing slash, for example {@code http://127.0.0.1:8000}
 * @param metricsUrl URL of its Prometheus exposition, normally {@code url + "/metrics"}
 * @param weight share of the requests relative to the other targets, at least 0
 */
public record Target(String url, String metricsUrl, double weight) {
  private static final String QUERY_API = "/api/v1/query";

  public Target {
    if (!url.startsWith("http://") && !url.startsWith("https://")) {
      throw new IllegalArgumentException("url must start with http:// or https://, was " + url);
    }
    if (!(weight >= 0)) {
      throw new IllegalArgumentException("weight must be >= 0, was " + weight);
    }
    url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /**
   * Whether its metrics are read from the query API of a Prometheus, Thanos or Mimir that scrapes
   * it, and not from itself.
   */
  public boolean isReadFromStore() {
    return isStore(metricsUrl);
  }

  /** Whether a metrics URL is the query API of a Prometheus; labels may follow as parameters. */
  public static boolean isStore(String metricsUrl) {
    return metricsUrl.replaceFirst("[?#].*", "").endsWith(QUERY_API);
  }

  /** A target whose metrics lie at {@code url/metrics}. */
  public static Target at(String url) {
    String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    return new Target(base, base + "/metrics", 1);
  }
}
