package tallystick.reach;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the load target's API is shown so that it answers, read from where the user keeps it.
 *
 * @param key sent as a bearer token; empty sends none
 * @param headers headers that hold a secret
 * @param urlParameters added to the URL of each request
 * @param secrets what is at each place that the scenario names, whatever it is for
 */
public record ApiAccess(
    String key,
    Map<String, String> headers,
    Map<String, String> urlParameters,
    Map<SecretPlace, String> secrets) {
  /** Nothing to show. */
  public static final ApiAccess NONE = ofKey("");

  private static final String AUTHORIZATION = "Authorization";

  public ApiAccess {
    headers = Map.copyOf(headers);
    urlParameters = new LinkedHashMap<>(urlParameters);
    secrets = Map.copyOf(secrets);
  }

  /** A bearer token alone; an empty one is none. */
  public static ApiAccess ofKey(String key) {
    return new ApiAccess(key, Map.of(), Map.of(), Map.of());
  }

  /** Every header to send, the user's own before the key. */
  public Map<String, String> allHeaders() {
    Map<String, String> all = new LinkedHashMap<>(headers);
    boolean isOwn = headers.keySet().stream().anyMatch(AUTHORIZATION::equalsIgnoreCase);
    if (!key.isEmpty() && !isOwn) {
      all.put(AUTHORIZATION, "Bearer " + key);
    }
    return all;
  }

  /** Whether the server is shown anything that lets one in. */
  public boolean isEmpty() {
    return key.isEmpty() && secrets.isEmpty();
  }

  /** The address with the parameters. */
  public String at(String url) {
    return urlParameters.isEmpty()
        ? url
        : urlParameters.entrySet().stream()
            .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
            .collect(Collectors.joining("&", url + "?", ""));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Takes all of it out of what a server says. */
  public Redaction redaction() {
    List<String> all = new ArrayList<>(secrets.values());
    all.add(key);
    return Redaction.of(all);
  }

  /** The secrets stay out of logs and messages. */
  @Override
  public String toString() {
    return isEmpty() ? "no credentials" : "credentials";
  }
}
