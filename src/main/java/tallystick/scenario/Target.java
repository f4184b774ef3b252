package tallystick.scenario;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One server under test.
 *
 * @param url base URL without a trailing slash, for example {@code http://127.0.0.1:8000}
 * @param metricsUrl URL of its Prometheus exposition, normally {@code url + "/metrics"}
 * @param weight share of the requests relative to the other targets, at least 0
 * @param role what it does of each request
 */
public record Target(String url, String metricsUrl, double weight, Role role) {
  public static final String QUERY_API = "/api/v1/query";

  /** What an engine does of each request. */
  public enum Role {
    /** All of it. */
    WHOLE,
    /** Computes the prompt and one token, for another engine to go on; a router asks it. */
    PREFILL,
    /** Goes on after a prefill engine and answers. */
    DECODE,
    /** Passes requests on to engines that are targets of their own; it is not scraped. */
    GATEWAY
  }

  /** A server that does all of each request. */
  public Target(String url, String metricsUrl, double weight) {
    this(url, metricsUrl, weight, Role.WHOLE);
  }

  public Target {
    // A record that was written without this field has none that share their work.
    role = role == null ? Role.WHOLE : role;
    Objects.requireNonNull(metricsUrl, "a target needs a metrics URL, or an empty one");
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

  /** Those that get the requests: a gateway, where there is one, and not what stands behind it. */
  public static Stream<Target> loaded(List<Target> targets) {
    boolean hasGateway = targets.stream().anyMatch(Target::onlyPassesOn);
    return targets.stream().filter(target -> !hasGateway || target.onlyPassesOn());
  }

  /** The same server with its metrics elsewhere; nowhere where that is empty. */
  public Target scrapedAt(String where) {
    return new Target(url, where, weight, role);
  }

  /** Whether it only computes prompts, so that its counts are an account of their own. */
  public boolean onlyPrefills() {
    return role == Role.PREFILL;
  }

  /** Whether it only passes requests on, so that it counts nothing. */
  public boolean onlyPassesOn() {
    return role == Role.GATEWAY;
  }

  /** Whether it stands on the very machine, or in the very pod, that asks it. */
  public boolean isLoopback() {
    String host = URI.create(url).getHost();
    return host != null
        && (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]"));
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
