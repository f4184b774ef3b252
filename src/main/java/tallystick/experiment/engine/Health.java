package tallystick.experiment.engine;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;

/**
 * Whether a server is ready for load.
 *
 * @param url where it listens
 */
record Health(String url) {
  private static final int ANSWER_MILLIS = 2_000;

  /** Not every server has a page for its health. */
  boolean isGood() {
    int status = status("/health");
    return status == HttpURLConnection.HTTP_OK
        || status == HttpURLConnection.HTTP_NOT_FOUND
            && status("/v1/models") / 100 != HttpURLConnection.HTTP_INTERNAL_ERROR / 100;
  }

  private int status(String path) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(url + path).toURL().openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(ANSWER_MILLIS);
      connection.setReadTimeout(ANSWER_MILLIS);
      connection.setInstanceFollowRedirects(false);
      connection.setRequestProperty("Connection", "close");
      try {
        return connection.getResponseCode();
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return HttpURLConnection.HTTP_INTERNAL_ERROR;
    }
  }
}
