package tallystick.reach;

import java.net.URI;
import java.util.Locale;

/**
 * Scheme, host and port of a URL: the one place a secret meant for it may go to.
 *
 * @param scheme {@code http} or {@code https}
 * @param host in small letters, an IPv6 address in brackets
 * @param port the scheme's own where the URL names none
 */
public record WebOrigin(String scheme, String host, int port) {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /**
   * The origin of a URL that {@link ServerUrl} finds good.
   *
   * @throws IllegalArgumentException if it is not a URL of a server
   */
  public static WebOrigin of(String url) {
    URI uri = URI.create(ServerUrl.normal(url));
    if (uri.getRawAuthority() == null) {
      throw new IllegalArgumentException("no server in " + url);
    }
    // Not URI's own host, which is none where a name has an underscore.
    String authority = uri.getRawAuthority().toLowerCase(Locale.ROOT);
    String host = authority.replaceFirst(":\\d*$", "");
    String port = authority.substring(host.length()).replace(":", "");
    int usual = uri.getScheme().equals("https") ? HTTPS_PORT : HTTP_PORT;
    return new WebOrigin(
        uri.getScheme(), host, port.isEmpty() ? usual : Integer.parseInt(port));
  }

  /** The host as a socket wants it. */
  String socketHost() {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  @Override
  public String toString() {
    return scheme + "://" + host + ":" + port;
  }
}
