package tallystick.reach;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one check of every URL a user gives, on a command line or in a scenario.
 *
 * <p>URLs stand in the record, so one that carries a secret is refused, and no message repeats it.
 */
public final class ServerUrl {
  private static final int LAST_PORT = 65_535;
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://.*");
  /** Names joined by dots, underscores too because container networks have them; or an address. */
  private static final Pattern AUTHORITY =
      Pattern.compile(
          "(?<host>[\\w-]{1,63}(\\.[\\w-]{1,63})*\\.?|\\[[0-9A-Fa-f:.]+])(:(?<port>.*))?");
  private static final String PARAMETERS = "a scenario has them: request: {url_parameters: {%s}}";
  private static final Pattern BARE_HOST = Pattern.compile("[\\w.-]+(:\\d+)?(/.*)?");
  private ServerUrl() {}

  /** What a URL is for. */
  public enum Use {
    /** A server's base URL, whose own paths are added to it. */
    TARGET("http://127.0.0.1:8000"),
    /** Where metrics are read: a page, the query API of a store, or a file. */
    METRICS("http://127.0.0.1:8000/metrics");

    private final String example;

    Use(String example) {
      this.example = example;
    }
  }

  /**
   * Why a URL cannot be used.
   *
   * @param what what is wrong, after the name of the option or key: {@code holds a user name}
   * @param remedy what to write instead
   */
  public record Fault(String what, String remedy) {}

  /** The URL with its scheme in small letters, which is how the rest of the program compares it. */
  public static String normal(String text) {
    Matcher scheme = SCHEME.matcher(text);
    return scheme.matches()
        ? scheme.group(1).toLowerCase(Locale.ROOT) + text.substring(scheme.end(1))
        : text;
  }

  /** The same; of a server to test without the API's {@code /v1}, with which many paste it. */
  public static String normal(String text, Use use) {
    String normal = normal(text);
    return use == Use.TARGET ? normal.replaceFirst("^(https?://[^/]+)/v1/?$", "$1") : normal;
  }

  /** What is wrong with a URL; empty for a good one. */
  public static Optional<Fault> faultOf(String given, Use use) {
    String text = normal(given, use);
    return secret(text, use)
        .or(() -> several(text))
        .or(() -> scheme(text, use))
        .or(() -> syntax(text, use))
        .or(() -> isFile(text) ? file(text) : server(text, use));
  }

  /** The server of a good URL, without what follows its host and port. */
  public static String base(String url) {
    URI uri = URI.create(url);
    return isFile(url) ? "http://localhost" : uri.getScheme() + "://" + uri.getRawAuthority();
  }

  /** Whether it names a file of this machine. */
  public static boolean isFile(String url) {
    return url.startsWith("file:");
  }

  private static Optional<Fault> secret(String text, Use use) {
    String start = text.replaceFirst("^([A-Za-z][A-Za-z0-9+.-]*:)?/*", "").split("[/?#]", 2)[0];
    if (start.contains("@")) {
      return fault(
          "holds a user name or password, and URLs stand in the record",
          switch (use) {
            case TARGET ->
                "take it out; the API key comes from --api-key-env, request.api_key_env or"
                    + " request.api_key_file";
            case METRICS ->
                "take it out; TALLY_METRICS_USER and TALLY_METRICS_PASSWORD carry them";
          });
    }
    int question = text.indexOf('?');
    for (String part : question < 0 ? new String[0] : text.substring(question + 1).split("[&#;]")) {
      String name = part.replaceFirst("=.*", "").replaceAll("%[0-9A-Fa-f]{2}", "_");
      if (part.contains("=") && SecretName.is(name)) {
        return fault(
            "holds a secret in its parameter " + name + ", and URLs stand in the record",
            switch (use) {
              case TARGET -> "take it out; " + PARAMETERS.formatted(name + ": {env: NAME}");
              case METRICS -> "take it out; TALLY_METRICS_TOKEN carries one";
            });
      }
    }
    return Optional.empty();
  }

  private static Optional<Fault> several(String text) {
    return text.split("[?]", 2)[0].matches("(?is).+[,;|\\s]\\s*(https?://|file:).*")
        ? fault("names several URLs: \"" + shown(text) + "\"", "give one at a time")
        : Optional.empty();
  }

  private static Optional<Fault> syntax(String text, Use use) {
    try {
      new URI(text);
      return Optional.empty();
    } catch (URISyntaxException e) {
      return fault(
          "is not a URL (" + e.getReason() + "): \"" + shown(text) + "\"",
          "write for example " + use.example);
    }
  }

  private static Optional<Fault> scheme(String text, Use use) {
    boolean isKnown =
        text.startsWith("http://") || text.startsWith("https://")
            || (isFile(text) && use == Use.METRICS);
    return isKnown
        ? Optional.empty()
        : fault(
            "must be an http or https URL with a host, was \"" + shown(text) + "\"",
            "it does not begin with http:// or https://; write "
                + (BARE_HOST.matcher(text).matches() ? "http://" + shown(text) : use.example));
  }

  private static Optional<Fault> file(String text) {
    URI uri = URI.create(text);
    boolean isPlain =
        uri.getPath() != null && uri.getPath().startsWith("/") && uri.getRawQuery() == null
            && uri.getRawAuthority() == null && uri.getRawFragment() == null;
    return isPlain
        ? Optional.empty()
        : fault(
            "is not a whole file name: \"" + shown(text) + "\"",
            "write for example file:/folder/metrics.txt");
  }

  private static Optional<Fault> server(String text, Use use) {
    URI uri = URI.create(text);
    String given = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    Matcher authority = AUTHORITY.matcher(given);
    if (!authority.matches()) {
      return fault(
          "must be an http or https URL with a host, was \"" + shown(text) + "\"",
          (given.isEmpty() ? "it names no host; " : "") + "write for example " + use.example);
    }
    if (authority.group("port") != null && !isPort(authority.group("port"))) {
      return fault(
          "must be an http or https URL with a host and a port, \"" + authority.group("port")
              + "\" is not a port",
          "write 1 to " + LAST_PORT);
    }
    return surplus(uri, text, use);
  }

  private static Optional<Fault> surplus(URI uri, String text, Use use) {
    boolean hasQuery = uri.getRawQuery() != null && use == Use.TARGET;
    if (hasQuery || uri.getRawFragment() != null) {
      return fault(
          "must be a URL without " + (use == Use.TARGET ? "? and #" : "#") + ", was \""
              + shown(text) + "\"",
          hasQuery
              ? PARAMETERS.formatted("api-version: 2024-06-01")
              : "write for example " + use.example);
    }
    if (use == Use.TARGET && text.matches(".*/v1(/.*)?")) {
      return fault("ends in the API's own path: " + text, "leave out /v1 and what follows");
    }
    return use == Use.TARGET && text.matches(".*/metrics/?")
        ? fault("ends in the path of its metrics: " + text, "leave out /metrics")
        : Optional.empty();
  }

  private static boolean isPort(String text) {
    return text.matches("\\d{1,5}")
        && Integer.parseInt(text) > 0
        && Integer.parseInt(text) <= LAST_PORT;
  }

  /** Without what may hold a secret that no rule above knows. */
  private static String shown(String text) {
    return text.replaceFirst("(?s)([?#]).+", "$1…");
  }

  private static Optional<Fault> fault(String what, String remedy) {
    return Optional.of(new Fault(what, remedy));
  }
}
