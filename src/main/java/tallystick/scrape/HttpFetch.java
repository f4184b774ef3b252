package tallystick.scrape;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLSocketFactory;

/**
 * GETs over HTTP/1.1 without proxy, redirect or cookie, bounded in time and size.
 *
 * <p>Blocks the thread that asks: the JDK's own client costs a scrape three to five times as much
 * processor time (docs/decisions/scrape-a-plain-http-client.md). Asks for no compression, which
 * would cost the server's CPU, but understands gzip. Threads: any.
 */
final class HttpFetch implements AutoCloseable {
  static final Duration TIMEOUT = Duration.ofSeconds(5);
  static final int SIZE_LIMIT = 64 << 20;

  /** A connection that has rested longer may have been forgotten on its way. */
  private static final long REST_NANOS = 30_000_000_000L;

  private final Duration timeout;
  private final int sizeLimit;
  private final Map<String, String> credentials;
  private final Supplier<SSLSocketFactory> tls;
  private final Map<HttpPlace, Deque<HttpConnection>> resting = new ConcurrentHashMap<>();
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  HttpFetch(
      Duration timeout, int sizeLimit, Map<String, String> credentials, String caFile) {
    this.credentials = Map.copyOf(credentials);
    this.timeout = timeout;
    this.sizeLimit = sizeLimit;
    if (caFile.isEmpty()) {
      // Asked for only where a URL is https: it reads every authority the machine trusts.
      this.tls = () -> (SSLSocketFactory) SSLSocketFactory.getDefault();
    } else {
      SSLSocketFactory own = TrustedAuthorities.with(Path.of(caFile)).getSocketFactory();
      this.tls = () -> own;
    }
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
   * TALLY_METRICS_TOKEN}, or a user and a password in {@code TALLY_METRICS_USER} and {@code
   * TALLY_METRICS_PASSWORD}, and a tenant of Mimir or Thanos in {@code TALLY_METRICS_TENANT}. They
   * come from there and not from a URL because URLs stand in the record.
   */
  static Map<String, String> credentials(Map<String, String> environment) {
    Map<String, String> headers = new TreeMap<>();
    String token = value(environment, "TALLY_METRICS_TOKEN");
    String user = value(environment, "TALLY_METRICS_USER");
    if (!token.isEmpty()) {
      headers.put("Authorization", "Bearer " + token);
    } else if (!user.isEmpty()) {
      byte[] both =
          (user + ":" + value(environment, "TALLY_METRICS_PASSWORD"))
              .getBytes(StandardCharsets.UTF_8);
      headers.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
    }
    String tenant = value(environment, "TALLY_METRICS_TENANT");
    if (!tenant.isEmpty()) {
      headers.put("X-Scope-OrgID", tenant);
    }
    return headers;
  }

  /** Without the line feed that a value read from a file often ends in. */
  private static String value(Map<String, String> environment, String name) {
    return environment.getOrDefault(name, "").strip();
  }

  /**
   * Sends one GET and reads the whole answer.
   *
   * @throws IOException if none arrived whole in time; its message is fit for a reader
   * @throws InterruptedException if {@link #close} broke it off
   */
  HttpAnswer get(URI uri, Map<String, String> headers) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      HttpPlace place = HttpPlace.of(uri);
      return decoded(answer(place, request(uri, place, headers), deadline));
    } catch (IOException e) {
      if (isClosed) {
        throw new InterruptedException("closed while " + uri + " was read");
      }
      throw new IOException(words(e), e);
    }
  }

  private HttpAnswer answer(HttpPlace place, byte[] request, long deadline) throws IOException {
    HttpConnection rested = rested(place);
    if (rested != null) {
      try {
        return exchange(rested, place, request, deadline);
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        // Servers close connections that rest; only if nothing came back may a GET be sent again.
        if (rested.isAnswered()) {
          throw e;
        }
      }
    }
    return exchange(opened(place, deadline), place, request, deadline);
  }

  private HttpConnection rested(HttpPlace place) {
    Deque<HttpConnection> idle =
        resting.computeIfAbsent(place, key -> new ConcurrentLinkedDeque<>());
    for (HttpConnection next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      if (System.nanoTime() - next.usedNanos() < REST_NANOS) {
        return next;
      }
      discard(next);
    }
    return null;
  }

  private HttpConnection opened(HttpPlace place, long deadline) throws IOException {
    HttpConnection connection = new HttpConnection(sizeLimit);
    open.add(connection);
    try {
      if (isClosed) {
        throw new IOException("closed");
      }
      connection.open(place, place.isSecured() ? tls.get() : null, deadline);
      return connection;
    } catch (SocketTimeoutException e) {
      discard(connection);
      throw new ConnectException("no answer within " + seconds());
    } catch (IOException e) {
      discard(connection);
      throw e;
    }
  }

  private HttpAnswer exchange(
      HttpConnection connection, HttpPlace place, byte[] request, long deadline)
      throws IOException {
    try {
      return connection.exchange(request, deadline);
    } finally {
      if (connection.isReusable() && !isClosed) {
        resting.get(place).addFirst(connection);
      } else {
        discard(connection);
      }
    }
  }

  private void discard(HttpConnection connection) {
    open.remove(connection);
    connection.close();
  }

  private byte[] request(URI uri, HttpPlace place, Map<String, String> headers)
      throws IOException {
    StringBuilder text = new StringBuilder(256);
    text.append("GET ").append(HttpPlace.pathOf(uri)).append(" HTTP/1.1\r\n");
    add(text, "Host", place.hostHeader());
    add(text, "User-Agent", "tallystick");
    for (Map<String, String> each : List.of(headers, credentials)) {
      for (Map.Entry<String, String> header : each.entrySet()) {
        add(text, header.getKey(), header.getValue());
      }
    }
    return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void add(StringBuilder text, String name, String value) throws IOException {
    if (value.chars().anyMatch(c -> c < ' ' || c > 0xff)) {
      throw new IOException("the value for " + name + " holds a character no header may");
    }
    text.append(name).append(": ").append(value).append("\r\n");
  }

  private String words(IOException failure) {
    String message = failure.getMessage() == null ? "" : failure.getMessage();
    return switch (failure) {
      case UnknownHostException e -> "no connection: the host name is not known";
      case ConnectException e when message.contains("refused") -> "no connection: refused";
      case ConnectException e -> "no connection: " + message;
      case NoRouteToHostException e -> "no connection: " + message;
      case SocketTimeoutException e -> "no whole answer within " + seconds();
      case IOException e when e.getClass() == IOException.class -> message;
      case IOException e when message.isEmpty() -> e.getClass().getSimpleName();
      case IOException e -> e.getClass().getSimpleName() + ": " + message;
    };
  }

  private String seconds() {
    return timeout.toMillis() / 1000.0 + " s";
  }

  private HttpAnswer decoded(HttpAnswer answer) throws IOException {
    String encoding = answer.header("content-encoding").toLowerCase(Locale.ROOT);
    return switch (encoding) {
      case "", "identity" -> answer;
      case "gzip", "x-gzip" -> answer.with(unzipped(answer.body()));
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

  /** Breaks off what is under way; its callers see an InterruptedException. */
  @Override
  public void close() {
    isClosed = true;
    open.forEach(HttpConnection::close);
  }
}
