import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An OpenAI-compatible server that streams tokens at a pace and logs when it really sent them; it
 * shares no code with the client it is the truth for.
 *
 * <pre>java bench/client/PacedServer.java PORT LOG [ttft_ms=100] [itl_ms=20] [steps]</pre>
 *
 * With {@code steps} all streams have their tokens at the same moments, as in an engine's batch.
 *
 * One log line for each request: id, then System.nanoTime() of: request read, each token written.
 * The id is the request's X-Request-Id, or one made up, and stands in every chunk. A URL that
 * begins with /pace/TTFT_MS/ITL_MS has that pace, unlogged if ITL is 0 (each token a write, no
 * pause) or less (tokens leave in writes of 16 KiB). Every chunk has its usage unless the request
 * says "continuous_usage_stats":false.
 */
final class PacedServer {
  private static final Pattern MAX_TOKENS =
      Pattern.compile("\"max_(?:completion_)?tokens\"\\s*:\\s*(\\d+)");
  private static final String USAGE_OFF = "\"continuous_usage_stats\":false";
  private static final int BURST_BYTES = 16 * 1024;
  private static final byte[] NULL = ascii("null}]");
  private static final byte[] LENGTH = ascii("\"length\"}]");
  private static final byte[] USAGE =
      ascii(",\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":");
  private static final byte[] TOTAL = ascii(",\"total_tokens\":");
  private static final byte[] END = ascii("}\n\n");

  private final Pace usual;
  private final boolean inSteps;
  private final BufferedWriter log;
  private final AtomicLong nameless = new AtomicLong();
  private final Sender sender = new Sender();

  private record Pace(long ttftNanos, long itlNanos) {
    static Pace ofMillis(String ttft, String itl) {
      return new Pace(
          (long) (Double.parseDouble(ttft) * 1e6), (long) (Double.parseDouble(itl) * 1e6));
    }
  }

  private PacedServer(Pace usual, boolean inSteps, BufferedWriter log) {
    this.usual = usual;
    this.inSteps = inSteps;
    this.log = log;
  }

  public static void main(String[] arguments) throws IOException {
    Pace pace =
        Pace.ofMillis(
            arguments.length > 2 ? arguments[2] : "100",
            arguments.length > 3 ? arguments[3] : "20");
    BufferedWriter log = Files.newBufferedWriter(Path.of(arguments[1]));
    PacedServer server = new PacedServer(pace, arguments.length > 4, log);
    server.sender.start();
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])),
          4096);
      System.out.println("paced server on " + socket.getLocalPort());
      while (true) {
        Socket connection = socket.accept();
        connection.setTcpNoDelay(true);
        Thread thread = new Thread(null, () -> server.serve(connection), "c", 128 * 1024);
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      while (answer(in, out)) {
        // The connection is kept for the next request.
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private boolean answer(InputStream in, OutputStream out) throws IOException {
    String path = "";
    String id = "";
    int length = 0;
    for (String line = line(in); line != null; line = line(in)) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (path.isEmpty()) {
        path = line.isEmpty() ? "" : line.split(" ")[1];
      } else if (line.isEmpty()) {
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        long read = System.nanoTime();
        Pace pace = usual;
        String[] parts = path.split("/");
        if (parts.length > 4 && parts[1].equals("pace")) {
          pace = Pace.ofMillis(parts[2], parts[3]);
        }
        if (path.endsWith("/completions")) {
          String known = id.isEmpty() ? "n" + nameless.incrementAndGet() : id;
          stream(out, new Asked(known, read, maxTokens(body), !body.contains(USAGE_OFF)), pace);
        } else {
          String models = "{\"object\":\"list\",\"data\":[{\"id\":\"paced\"}]}";
          boolean known = path.endsWith("/v1/models") || path.equals("/health");
          String text = known ? models : "{}";
          out.write(
              ("HTTP/1.1 " + (known ? "200 OK" : "404 Not Found")
                      + "\r\nContent-Type: application/json\r\nContent-Length: " + text.length()
                      + "\r\n\r\n" + text)
                  .getBytes(StandardCharsets.UTF_8));
        }
        return true;
      } else if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(15).strip());
      } else if (lower.startsWith("x-request-id:")) {
        id = line.substring(13).strip();
      }
    }
    return false;
  }

  private record Asked(String id, long read, int tokens, boolean continuousUsage) {}

  private void stream(OutputStream socket, Asked asked, Pace pace) throws IOException {
    String id = asked.id();
    long read = asked.read();
    int tokens = asked.tokens();
    boolean paced = pace.itlNanos() > 0;
    OutputStream out =
        pace.itlNanos() >= 0 ? socket : new BufferedOutputStream(socket, BURST_BYTES);
    out.write(
        ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
    long[] sent = new long[tokens];
    TokenChunk token = new TokenChunk(asked);
    if (paced && tokens > 0) {
      sender.send(new Paced(out, token, sent, firstDue(read, pace), pace.itlNanos()));
    } else {
      for (int i = 0; i < tokens; i++) {
        out.write(token.bytes, 0, token.fill(i));
      }
    }
    out.write(
        chunk(
            "data: {\"id\":\"cmpl-" + id + "\",\"choices\":[],\"usage\":{\"prompt_tokens\":1,"
                + "\"completion_tokens\":" + tokens + ",\"total_tokens\":" + (tokens + 1)
                + "}}\n\n"));
    out.write(chunk("data: [DONE]\n\n"));
    out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    out.flush();
    if (paced) {
      write(id, read, sent);
    }
  }

  private long firstDue(long read, Pace pace) {
    long due = read + pace.ttftNanos();
    return inSteps ? Math.ceilDiv(due, pace.itlNanos()) * pace.itlNanos() : due;
  }

  /** One token's chunk, made in the same bytes again and again: 20,000 a second make no garbage. */
  private static final class TokenChunk {
    private static final int SIZE_DIGITS = 3;

    private final Asked asked;
    private final byte[] start;
    private final byte[] bytes;
    private int at;

    TokenChunk(Asked asked) {
      this.asked = asked;
      start =
          ascii(
              "data: {\"id\":\"cmpl-" + asked.id()
                  + "\",\"object\":\"text_completion\",\"choices\":[{\"index\":0,"
                  + "\"text\":\" tok\",\"finish_reason\":");
      bytes = new byte[start.length + 200];
    }

    /** Makes a token, counted from 0; returns how many of the bytes it has. */
    int fill(int index) {
      int first = SIZE_DIGITS + 2;
      at = first;
      put(start);
      put(index == asked.tokens() - 1 ? LENGTH : NULL);
      if (asked.continuousUsage()) {
        put(USAGE);
        put(index + 1);
        put(TOTAL);
        put(index + 2);
        bytes[at++] = '}';
      }
      put(END);
      int size = at - first;
      for (int digit = SIZE_DIGITS - 1; digit >= 0; digit--, size >>= 4) {
        bytes[digit] = (byte) Character.forDigit(size & 15, 16);
      }
      bytes[SIZE_DIGITS] = '\r';
      bytes[SIZE_DIGITS + 1] = '\n';
      bytes[at++] = '\r';
      bytes[at++] = '\n';
      return at;
    }

    private void put(byte[] text) {
      System.arraycopy(text, 0, bytes, at, text.length);
      at += text.length;
    }

    private void put(int number) {
      int first = at;
      for (int rest = number; rest > 0; rest /= 10) {
        at++;
      }
      for (int digit = at - 1, rest = number; digit >= first; digit--, rest /= 10) {
        bytes[digit] = (byte) ('0' + rest % 10);
      }
    }
  }

  private void write(String id, long read, long[] sent) throws IOException {
    StringBuilder line = new StringBuilder(id).append(' ').append(read);
    for (long moment : sent) {
      line.append(' ').append(moment);
    }
    synchronized (log) {
      log.write(line.append('\n').toString());
      log.flush();
    }
  }

  /** One paced answer: when its next token is due, and when those before it were sent. */
  private static final class Paced {
    final OutputStream out;
    final TokenChunk token;
    final long[] sent;
    final long itlNanos;
    final CompletableFuture<Void> done = new CompletableFuture<>();
    long due;
    int next;

    Paced(OutputStream out, TokenChunk token, long[] sent, long due, long itlNanos) {
      this.out = out;
      this.token = token;
      this.sent = sent;
      this.due = due;
      this.itlNanos = itlNanos;
    }

    /** Writes one token; true if another one follows. */
    boolean write() {
      try {
        int length = token.fill(next);
        sent[next] = System.nanoTime();
        out.write(token.bytes, 0, length);
        due += itlNanos;
        if (++next < sent.length) {
          return true;
        }
        done.complete(null);
      } catch (IOException e) {
        done.completeExceptionally(e);
      }
      return false;
    }
  }

  /**
   * Writes every paced token, each when it is due. A thread of its own for each stream would cost
   * more than the client that is measured: a timer and two changes of thread for each token. A
   * client that stops reading one stream holds up all of them.
   */
  private static final class Sender implements Runnable {
    private final ConcurrentLinkedQueue<Paced> begun = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Paced> open =
        new PriorityQueue<>((a, b) -> Long.signum(a.due - b.due));
    private final Thread thread = new Thread(this, "sender");

    void start() {
      thread.setDaemon(true);
      thread.start();
    }

    /** Returns when the last token is written. */
    void send(Paced stream) throws IOException {
      begun.add(stream);
      LockSupport.unpark(thread);
      try {
        stream.done.join();
      } catch (CompletionException e) {
        throw new IOException(e.getCause());
      }
    }

    @Override
    public void run() {
      while (true) {
        for (Paced stream = begun.poll(); stream != null; stream = begun.poll()) {
          open.add(stream);
        }
        Paced first = open.peek();
        if (first == null) {
          LockSupport.park();
        } else if (first.due - System.nanoTime() > 0) {
          LockSupport.parkNanos(first.due - System.nanoTime());
        } else {
          open.remove();
          if (first.write()) {
            open.add(first);
          }
        }
      }
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] chunk(String event) {
    byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
    return (Integer.toHexString(bytes.length) + "\r\n" + event + "\r\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static int maxTokens(String body) {
    Matcher matcher = MAX_TOKENS.matcher(body);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 16;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (c == '\n') {
        return text.toString().strip();
      }
      text.append((char) c);
    }
    return null;
  }
}
