package tallystick.scrape;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;

/**
 * GETs over HTTP/1.1 without proxy, redirect or cookie, bounded in time and size.
 *
 * <p>Asks for no compression, which would cost the server's CPU, but understands gzip.
 */
final class HttpFetch implements AutoCloseable {
  static final Duration TIMEOUT = Duration.ofSeconds(5);
  static final int SIZE_LIMIT = 64 << 20;

  private final Duration timeout;
  private final int sizeLimit;
  private final Map<String, String> credentials;
  private final HttpClient client;

  /**
   * A whole response.
   *
   * @param status HTTP status
   * @param headers its headers
   * @param body its body, decompressed
   */
  record Answer(int status, HttpHeaders headers, byte[] body) {
    String header(String name) {
      return headers.firstValue(name).orElse("");
    }

    /** The server's {@code Date}, whole seconds since 1970; NaN where it sent none. */
    double dateUtcSeconds() {
      try {
        String date = header("date");
        return date.isEmpty()
            ? Double.NaN
            : ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond();
      } catch (DateTimeException e) {
        return Double.NaN;
      }
    }
  }

  HttpFetch(
      Duration timeout, int sizeLimit, Map<String, String> credentials, String caFile) {
    this.credentials = Map.copyOf(credentials);
    this.timeout = timeout;
    this.sizeLimit = sizeLimit;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            // Nothing here blocks, so the selector's own thread does the work: a quarter less CPU.
            .executor(Runnable::run)
            .proxy(HttpClient.Builder.NO_PROXY)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(timeout);
    if (!caFile.isEmpty()) {
      builder.sslContext(TrustedAuthorities.with(Path.of(caFile)));
    }
    this.client = builder.build();
  }

  /** A fetch with the limits every scrape has and the credentials of the environment. */
  static HttpFetch standard() {
    return trusting("");
  }

  /** The same, trusting the authorities of a PEM file too; an empty name adds none. */
  static HttpFetch trusting(String caFile) {
    return new HttpFetch(TIMEOUT, SIZE_LIMIT, credentials(System.getenv()), caFile);
  }

  /**
   * What the environment gives for metrics that are not open to all: a bearer token in {@code
   * TALLY_METRICS_TOKEN}, a tenant of Mimir or Thanos in {@code TALLY_METRICS_TENANT}. They come
   * from there and not from a URL because URLs stand in the record.
   */
  static Map<String, String> credentials(Map<String, String> environment) {
    Map<String, String> headers = new TreeMap<>();
    String token = environment.getOrDefault("TALLY_METRICS_TOKEN", "");
    if (!token.isEmpty()) {
      headers.put("Authorization", "Bearer " + token);
    }
    String user = environment.getOrDefault("TALLY_METRICS_USER", "");
    if (!user.isEmpty() && token.isEmpty()) {
      String password = environment.getOrDefault("TALLY_METRICS_PASSWORD", "");
      byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
      headers.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
    }
    String tenant = environment.getOrDefault("TALLY_METRICS_TENANT", "");
    if (!tenant.isEmpty()) {
      headers.put("X-Scope-OrgID", tenant);
    }
    return headers;
  }

  /**
   * Sends one GET and reads the whole answer.
   *
   * @throws IOException if none arrived whole in time; its message is fit for a reader
   */
  Answer get(URI uri, Map<String, String> headers) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).GET().timeout(timeout);
    headers.forEach(request::header);
    credentials.forEach(request::header);
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request.build(), info -> body(info.headers()));
    try {
      HttpResponse<byte[]> response = answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return new Answer(response.statusCode(), response.headers(), decoded(response));
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no whole answer within " + timeout.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw new IOException(words(e.getCause()), e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private LimitedBody body(HttpHeaders headers) {
    return new LimitedBody(sizeLimit, headers.firstValueAsLong("content-length").orElse(0));
  }

  private static String words(Throwable cause) {
    if (cause instanceof HttpTimeoutException) {
      return "no answer in time";
    }
    if (cause instanceof ConnectException && isUnresolved(cause)) {
      return "no connection: the host name is not known";
    }
    if (cause instanceof ConnectException) {
      return "no connection: " + (cause.getMessage() == null ? "refused" : cause.getMessage());
    }
    String message = cause.getMessage() == null ? "" : ": " + cause.getMessage();
    return cause.getClass().getSimpleName() + message;
  }

  private static boolean isUnresolved(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return true;
      }
    }
    return false;
  }

  private byte[] decoded(HttpResponse<byte[]> response) throws IOException {
    String encoding = response.headers().firstValue("content-encoding").orElse("identity");
    return switch (encoding) {
      case "identity" -> response.body();
      case "gzip", "x-gzip" -> unzipped(response.body());
      default -> throw new IOException("content encoding " + encoding + " was not asked for");
    };
  }

  private byte[] unzipped(byte[] body) throws IOException {
    try (InputStream stream = new GZIPInputStream(new ByteArrayInputStream(body))) {
      ByteArrayOutputStream whole = new ByteArrayOutputStream(body.length * 8);
      byte[] part = new byte[1 << 16];
      for (int read = stream.read(part); read >= 0; read = stream.read(part)) {
        if (whole.size() + read > sizeLimit) {
          throw new IOException("the answer is larger than " + sizeLimit + " bytes");
        }
        whole.write(part, 0, read);
      }
      return whole.toByteArray();
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
