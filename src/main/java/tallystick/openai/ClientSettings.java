package tallystick.openai;

import java.util.Map;
import tallystick.reach.ApiAccess;

/**
 * How the client talks to a server.
 *
 * @param connectTimeoutNanos limit for one connection attempt
 * @param requestTimeoutNanos limit for a whole request, so for a silence inside it too
 * @param api what the server is shown; never recorded
 * @param caFile PEM file of authorities to trust besides the usual ones; empty for none
 * @param headers extra headers of every request
 * @param http2 whether HTTP/2 is offered over TLS
 */
public record ClientSettings(
    long connectTimeoutNanos,
    long requestTimeoutNanos,
    ApiAccess api,
    String caFile,
    Map<String, String> headers,
    boolean http2) {
  public ClientSettings {
    if (connectTimeoutNanos <= 0 || requestTimeoutNanos <= 0) {
      throw new IllegalArgumentException(
          "timeouts must be > 0, were " + connectTimeoutNanos + " and " + requestTimeoutNanos);
    }
    headers = Map.copyOf(headers);
  }

  /** With a bearer token alone; an empty one is none. */
  public ClientSettings(
      long connectTimeoutNanos,
      long requestTimeoutNanos,
      String apiKey,
      String caFile,
      Map<String, String> headers) {
    this(connectTimeoutNanos, requestTimeoutNanos, ApiAccess.ofKey(apiKey), caFile, headers, false);
  }

  /** The key stays out of logs and messages. */
  @Override
  public String toString() {
    return "ClientSettings[connectTimeoutNanos=" + connectTimeoutNanos
        + ", requestTimeoutNanos=" + requestTimeoutNanos
        + ", api=" + api + "]";
  }
}
