package tallystick.scrape;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import tallystick.reach.ConnectionFault;
import tallystick.reach.TrustedAuthorities;
import tallystick.scenario.Formatted;

/**
 * GETs over HTTP/1.1 without proxy, redirect or cookie, bounded in time and size.
 *
 * <p>Blocks the thread that asks. Asks for no compression, which would cost the server's CPU, but
 * understands gzip (docs/decisions/scrape-reading-metrics.md). Threads: any.
 */
final class HttpFetch implements AutoCloseable {
  static final Duration TIMEOUT = Duration.ofSeconds(5); // longer than a sound page takes
  static final int SIZE_LIMIT = 64 << 20; // a bound on memory

  /** How the words begin of an answer that is not read for its size. */
  static final String TOO_LARGE = "the page has ";

  /** More than any run has targets. */
  private static final int RESTING = 1_000;

  /** A connection that has rested longer may have been forgotten on its way. */
  private static final long REST_SECONDS = 30;

  private final Duration timeout;
  private final int sizeLimit;
  private final OkHttpClient http;

  /** The library forgets a call once its head has come; its body may still be on the way. */
  private final Set<Call> underWay = ConcurrentHashMap.newKeySet();

  private volatile boolean isClosed;
  private volatile boolean hasBeenAnswered;

  HttpFetch(Duration timeout, int sizeLimit, String caFile) {
    this.timeout = timeout;
    this.sizeLimit = sizeLimit;
    OkHttpClient.Builder client =
        new OkHttpClient.Builder()
            .protocols(List.of(Protocol.HTTP_1_1))
            .proxy(Proxy.NO_PROXY)
            .followRedirects(false)
            .connectionPool(new ConnectionPool(RESTING, REST_SECONDS, TimeUnit.SECONDS))
            // One deadline for the whole call; one for each of its steps would only cost time.
            .callTimeout(timeout)
            .connectTimeout(Duration.ZERO)
            .readTimeout(Duration.ZERO)
            .writeTimeout(Duration.ZERO)
            .addNetworkInterceptor(
                chain ->
                    chain.proceed(
                        chain.request().newBuilder().removeHeader("Accept-Encoding").build()));
    if (!caFile.isEmpty()) {
      TrustedAuthorities trusted = TrustedAuthorities.with(caFile);
      client.sslSocketFactory(trusted.tls(), trusted.manager());
    }
    this.http = client.build();
  }

  /** A fetch with the limits every scrape has. */
  static HttpFetch standard() {
    return trusting("");
  }

  /** The same, trusting the authorities of a PEM file too; an empty name adds none. */
  static HttpFetch trusting(String caFile) {
    return new HttpFetch(TIMEOUT, SIZE_LIMIT, caFile);
  }

  /**
   * Sends one GET and reads the whole answer.
   *
   * @throws IOException if none arrived whole in time; its message is fit for a reader
   * @throws InterruptedException if {@link #close} broke it off
   */
  HttpAnswer get(URI uri, Map<String, String> headers) throws IOException, InterruptedException {
    Call call = http.newCall(request(uri, headers));
    underWay.add(call);
    try {
      return answer(call);
    } catch (IOException e) {
      if (isClosed || Thread.interrupted()) {
        throw new InterruptedException("closed while " + uri + " was read");
      }
      throw new IOException(words(uri, e), e);
    } catch (IllegalStateException | IllegalArgumentException e) {
      // Whatever a server brings about in the library, it is one failed scrape.
      call.cancel();
      throw ConnectionFault.noHttp(e);
    } finally {
      underWay.remove(call);
    }
  }

  private Request request(URI uri, Map<String, String> headers) throws IOException {
    if (uri.getRawAuthority() == null) {
      throw new IOException("the URL is none of http://host or https://host");
    }
    try {
      Request.Builder request =
          new Request.Builder().url(uri.toString()).header("User-Agent", "tallystick");
      headers.forEach(request::header);
      return request.build();
    } catch (IllegalArgumentException e) {
      throw new IOException("this cannot be asked for: " + e.getMessage(), e);
    }
  }

  private HttpAnswer answer(Call call) throws IOException {
    if (isClosed) {
      throw new IOException("closed");
    }
    try (Response response = call.execute()) {
      checkFraming(response);
      InputStream stream = response.body().byteStream();
      byte[] body = stream.readNBytes(sizeLimit + 1);
      if (body.length > sizeLimit) {
        throw tooLarge("more than " + megabytes(sizeLimit));
      }
      if (!hasBeenAnswered) {
        checkScheme(call.request().url().toString(), response);
        hasBeenAnswered = true;
      }
      return new HttpAnswer(response.code(), response.headers(), body, hasEnd(response));
    }
  }

  /** Servers of TLS refuse plain HTTP in text or HTML: who answers in JSON was reached. */
  private static void checkScheme(String url, Response response) throws IOException {
    if (response.header("Content-Type", "").startsWith("application/json")) {
      return;
    }
    Optional<String> other = ConnectionFault.otherProtocol(url, response.code());
    if (other.isPresent()) {
      throw new IOException(other.get());
    }
  }

  /** Whether the server said where its answer ends; otherwise a cut one looks like a whole one. */
  private static boolean hasEnd(Response response) {
    Response sent = response.networkResponse();
    return sent != null
        && (sent.header("Content-Length") != null
            || "chunked".equalsIgnoreCase(sent.header("Transfer-Encoding")));
  }

  /** Refuses what the library would take for another framing or leave compressed. */
  private void checkFraming(Response response) throws IOException {
    String length = response.header("Content-Length", "0");
    if (!length.matches("\\d{1,18}")) {
      throw new IOException("'" + length + "' is not a length of an answer");
    }
    if (Long.parseLong(length) > sizeLimit) {
      throw tooLarge(megabytes(Long.parseLong(length)));
    }
    String encoding = response.header("Content-Encoding", "identity");
    if (!encoding.equalsIgnoreCase("identity")) {
      throw new IOException("content encoding " + encoding + " was not asked for");
    }
  }

  private IOException tooLarge(String size) {
    return new IOException(
        TOO_LARGE + size + ", and at most " + megabytes(sizeLimit) + " are read. A page grows so"
            + " where values of a label have no end: drop that label, or name a page that shows"
            + " the engine alone");
  }

  private static String megabytes(long bytes) {
    return Formatted.of("%.1f MB", bytes / 1e6);
  }

  /** A port that has never answered may not be what the URL says; one that has is not asked. */
  private String words(URI uri, IOException failure) {
    Optional<String> other =
        hasBeenAnswered ? Optional.empty() : ConnectionFault.otherProtocol(uri.toString(), failure);
    return other
        .or(() -> ConnectionFault.words(uri.toString(), failure))
        .orElseGet(() -> httpWords(failure));
  }

  private String httpWords(IOException failure) {
    String message = failure.getMessage() == null ? "" : failure.getMessage();
    return switch (failure) {
      case InterruptedIOException e ->
          "no whole answer within " + timeout.toMillis() / 1000.0 + " s";
      case IOException e when message.startsWith("unexpected end of stream on") ->
          "the server sent no whole head of an answer";
      case IOException e when message.startsWith("unexpected end of stream") ->
          "the answer was cut";
      case IOException e when message.startsWith("Unexpected status line") ->
          "the answer is not HTTP/1.1";
      case ProtocolException e -> "the answer breaks HTTP/1.1: " + message;
      case EOFException e -> "the answer's chunks or its gzip have no whole end";
      case IOException e when e.getClass() == IOException.class -> message;
      case IOException e when message.isEmpty() -> "the connection ended before the answer did";
      case IOException e -> message;
    };
  }

  /** Makes the next request open a connection of its own. */
  void dropConnections() {
    http.connectionPool().evictAll();
  }

  /** Breaks off what is under way; its callers see an InterruptedException. */
  @Override
  public void close() {
    isClosed = true;
    underWay.forEach(Call::cancel);
    http.connectionPool().evictAll();
  }
}
