package tallystick.experiment.engine;

import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Whether a server is ready for load.
 *
 * @param url where it listens
 */
record Health(String url) {
  /** For a whole answer: one that trickles is none. */
  private static final int ANSWER_MILLIS = 2_000;

  /** Not every server has a page for its health. */
  boolean isGood() throws InterruptedException {
    int status = status("/health");
    return status == HttpURLConnection.HTTP_OK
        || status == HttpURLConnection.HTTP_NOT_FOUND
            && status("/v1/models") / 100 != HttpURLConnection.HTTP_INTERNAL_ERROR / 100;
  }

  private int status(String path) throws InterruptedException {
    HttpClient client =
        HttpClient.newBuilder()
            .proxy(HttpClient.Builder.NO_PROXY)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    try {
      return client
          .sendAsync(
              HttpRequest.newBuilder(URI.create(url + path)).build(),
              HttpResponse.BodyHandlers.discarding())
          .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
          .statusCode();
    } catch (ExecutionException | TimeoutException e) {
      return HttpURLConnection.HTTP_INTERNAL_ERROR;
    } finally {
      client.shutdownNow();
    }
  }
}
