package tallystick.scenario;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.List;
import java.util.Optional;

/** Reads the servers under test. */
final class TargetReader {
  private static final String EXAMPLE = "target: http://127.0.0.1:8000";
  /** A name, an address, or an IPv6 address in brackets. */
  private static final String HOST = "[\\w.-]+|\\[.+]";

  private static final List<String> KEYS = List.of("url", "metrics_url", "weight");

  private TargetReader() {}

  static List<Target> read(Section root) {
    Optional<Value> one = root.find("target");
    Optional<Value> many = root.find("targets");
    if (one.isPresent() && many.isPresent()) {
      throw many.get().origin().error("target and targets are both written", "keep one of them");
    }
    List<Target> targets =
        many.map(v -> v.items("targets: [http://127.0.0.1:8000]").stream()
                .map(TargetReader::target).toList())
            .orElseGet(() -> one.map(v -> List.of(target(v))).orElse(List.of()));
    if (!targets.isEmpty() && targets.stream().allMatch(t -> t.weight() == 0)) {
      throw many.orElseGet(one::get).origin().error(
          "every target has weight 0", "give one a weight above 0");
    }
    return targets;
  }

  private static Target target(Value value) {
    if (!value.isMapping()) {
      return Target.at(url(value, false));
    }
    Section section = value.section(KEYS);
    Target plain = Target.at(url(section.require("url", "url: http://127.0.0.1:8000"), false));
    return new Target(
        plain.url(),
        section.find("metrics_url").map(v -> url(v, true)).orElse(plain.metricsUrl()),
        section.find("weight").map(v -> v.notNegative("weight: 1")).orElse(1.0));
  }

  static String url(Value value, boolean isMetrics) {
    String text = value.text(EXAMPLE);
    URI uri = uri(value, text);
    boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    URL place = isHttp ? place(value, uri) : null;
    if (place == null || !place.getHost().matches(HOST) || place.getPort() > 65_535) {
      throw value.wrong("an http or https URL with a host", EXAMPLE);
    }
    if (place.getUserInfo() != null) {
      throw value.origin().error(
          value.path() + " holds a user name or password",
          "take it out; a key comes from request.api_key_env or request.api_key_file");
    }
    if (!isMetrics && (uri.getRawQuery() != null || uri.getRawFragment() != null)) {
      throw value.wrong("a URL without ? and #", EXAMPLE);
    }
    if (!isMetrics && text.matches(".*/v1(/.*)?")) {
      throw value.origin().error(
          value.path() + " ends in the API's own path: " + text, "leave out /v1 and what follows");
    }
    return text;
  }

  private static URI uri(Value value, String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw value.wrong("a URL", EXAMPLE);
    }
  }

  /** Read as a URL because {@link URI#getHost} knows no host with an underscore. */
  private static URL place(Value value, URI uri) {
    try {
      return uri.toURL();
    } catch (MalformedURLException e) {
      throw value.wrong("an http or https URL with a host", EXAMPLE);
    }
  }
}
