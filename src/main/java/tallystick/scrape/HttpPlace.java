package tallystick.scrape;

import java.io.IOException;
import java.net.URI;

/**
 * Where a connection leads.
 *
 * @param host name or address, an IPv6 one in brackets
 * @param port TCP port
 * @param isSecured whether it is https
 */
record HttpPlace(String host, int port, boolean isSecured) {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final int LAST_PORT = 65_535;

  /**
   * The place a URL names. Hosts with an underscore, as container networks have them, are no hosts
   * to {@link URI#getHost} and are understood here.
   *
   * @throws IOException if it names none; its message is fit for a reader
   */
  static HttpPlace of(URI uri) throws IOException {
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    String place = authority.substring(authority.lastIndexOf('@') + 1);
    int colon = place.lastIndexOf(':') > place.lastIndexOf(']') ? place.lastIndexOf(':') : -1;
    String host = colon < 0 ? place : place.substring(0, colon);
    boolean isSecured = "https".equalsIgnoreCase(uri.getScheme());
    if (host.isEmpty() || !isSecured && !"http".equalsIgnoreCase(uri.getScheme())) {
      throw new IOException("the URL is none of http://host or https://host");
    }
    int usual = isSecured ? HTTPS_PORT : HTTP_PORT;
    return new HttpPlace(host, colon < 0 ? usual : port(place.substring(colon + 1)), isSecured);
  }

  private static int port(String text) throws IOException {
    try {
      int port = Integer.parseInt(text);
      if (port > 0 && port <= LAST_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Told below, like a number that is no port.
    }
    throw new IOException("'" + text + "' is no port; write a number from 1 to " + LAST_PORT);
  }

  /** What a request line asks for. */
  static String pathOf(URI uri) {
    URI ascii = URI.create(uri.toASCIIString());
    String path = ascii.getRawPath();
    String query = ascii.getRawQuery();
    return (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
  }

  /** The host as a Host header names it, without a port the scheme implies. */
  String hostHeader() {
    return port == (isSecured ? HTTPS_PORT : HTTP_PORT) ? host : host + ":" + port;
  }

  /** The host without the brackets of an IPv6 address. */
  String bareHost() {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }
}
