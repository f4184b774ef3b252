package tallystick.scrape;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tallystick.reach.ApiAccess;
import tallystick.reach.Redaction;

/**
 * What one metrics URL is shown so that it answers, and nobody else: headers that are neither
 * recorded nor printed.
 *
 * @param headers may be empty
 * @param suffix what the names of its environment variables end in; empty for a target's
 */
record Credentials(Map<String, String> headers, String suffix) {
  private static final String AUTHORIZATION = "Authorization";
  private static final String BASIC = "Basic ";

  Credentials {
    headers = Map.copyOf(headers);
  }

  /** Nothing to show. */
  static Credentials none() {
    return new Credentials(Map.of(), "");
  }

  /**
   * What the environment gives for a target's metrics that are not open to all: a bearer token in
   * {@code TALLY_METRICS_TOKEN}, or a user and a password in {@code TALLY_METRICS_USER} and {@code
   * TALLY_METRICS_PASSWORD}, and a tenant of Mimir or Thanos in {@code TALLY_METRICS_TENANT}. They
   * come from there and not from a URL because URLs stand in the record.
   */
  static Credentials ofTarget(Map<String, String> environment) {
    return of(environment, "");
  }

  /** The same for an exporter, whose name the variables end in: TALLY_METRICS_TOKEN_GPU. */
  static Credentials ofExporter(String name, Map<String, String> environment) {
    return of(environment, "_" + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"));
  }

  private static Credentials of(Map<String, String> environment, String suffix) {
    Map<String, String> headers = new TreeMap<>();
    String token = value(environment, "TALLY_METRICS_TOKEN" + suffix);
    String user = value(environment, "TALLY_METRICS_USER" + suffix);
    String password = value(environment, "TALLY_METRICS_PASSWORD" + suffix);
    String tenant = value(environment, "TALLY_METRICS_TENANT" + suffix);
    if (!token.isEmpty()) {
      headers.put(AUTHORIZATION, "Bearer " + token);
    } else if (!user.isEmpty()) {
      byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
      headers.put(AUTHORIZATION, BASIC + Base64.getEncoder().encodeToString(both));
    }
    if (!tenant.isEmpty()) {
      headers.put("X-Scope-OrgID", tenant);
    }
    return new Credentials(headers, suffix);
  }

  /** Without the line feed that a value read from a file often ends in. */
  private static String value(Map<String, String> environment, String name) {
    return environment.getOrDefault(name, "").strip();
  }

  /** These, and what the API is shown where they say nothing of their own. */
  Credentials or(ApiAccess api) {
    if (headers.containsKey(AUTHORIZATION)) {
      return this;
    }
    Map<String, String> more = new TreeMap<>(headers);
    more.putAll(api.allHeaders());
    return new Credentials(more, suffix);
  }

  /** What is secret among the variables of all metrics; a tenant and a user are names. */
  static List<String> secrets(Map<String, String> environment) {
    return environment.entrySet().stream()
        .filter(one -> one.getKey().matches("TALLY_METRICS_(TOKEN|PASSWORD)(_.*)?"))
        .map(one -> one.getValue().strip())
        .toList();
  }

  /** The headers of a request with these credentials. */
  Map<String, String> with(Map<String, String> others) {
    Map<String, String> all = new TreeMap<>(others);
    all.putAll(headers);
    return all;
  }

  /** A redaction that takes out these credentials, too. */
  Redaction hiddenBy(Redaction others) {
    return others.with(List.of(headers.getOrDefault(AUTHORIZATION, "")));
  }

  /** What to do where a server refuses. */
  String remedy() {
    String variables =
        "TALLY_METRICS_TOKEN%1$s, or TALLY_METRICS_USER%1$s and TALLY_METRICS_PASSWORD%1$s, and for"
            + " a tenant TALLY_METRICS_TENANT%1$s";
    return (headers.isEmpty()
            ? "it wants credentials; set "
            : "it refuses the credentials it was shown; correct ")
        + variables.formatted(suffix);
  }

  /** The secrets stay out of logs and messages. */
  @Override
  public String toString() {
    return headers.isEmpty() ? "no credentials" : "credentials";
  }
}
