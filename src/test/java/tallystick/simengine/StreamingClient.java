package tallystick.simengine;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The lightest client that can time a stream: one thread, one selector, and no parsing before the
 * end. On a machine that it shares with the server a heavier one would measure itself.
 */
final class StreamingClient {
  private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(120);
  private static final byte[] EVENT = "data: {".getBytes(StandardCharsets.US_ASCII);
  private static final String END = "data: [DONE]";

  private final InetSocketAddress address;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 18);

  StreamingClient(String url) {
    URI uri = URI.create(url);
    this.address = new InetSocketAddress(uri.getHost(), uri.getPort());
  }

  /**
   * A stream as it came in.
   *
   * @param sentNanos when the request was handed to the socket
   * @param eventNanos when each event with JSON came in, ascending
   * @param events these events' JSON
   */
  record Heard(long sentNanos, long[] eventNanos, List<String> events) {}

  /** Sends every body at once, each over a connection that is open before; hears all to the end. */
  List<Heard> together(List<String> bodies) throws IOException {
    return play(bodies, Integer.MAX_VALUE);
  }

  /** Sends a body and leaves after a number of events. */
  Heard alone(String body, int leaveAfterEvents) throws IOException {
    return play(List.of(body), leaveAfterEvents).getFirst();
  }

  private List<Heard> play(List<String> bodies, int leaveAfterEvents) throws IOException {
    List<Stream> streams = new ArrayList<>();
    try (Selector selector = Selector.open()) {
      for (String body : bodies) {
        SocketChannel channel = SocketChannel.open(address);
        Stream stream = new Stream(channel, leaveAfterEvents);
        streams.add(stream);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, stream);
      }
      for (int i = 0; i < bodies.size(); i++) {
        streams.get(i).send(request(bodies.get(i)));
      }
      int open = streams.size();
      while (open > 0) {
        if (selector.select(PATIENCE_MILLIS) == 0) {
          throw new IOException(open + " streams are silent");
        }
        for (SelectionKey key : selector.selectedKeys()) {
          Stream stream = (Stream) key.attachment();
          if (!stream.read(buffer)) {
            key.cancel();
            open--;
          }
        }
        selector.selectedKeys().clear();
      }
    } finally {
      for (Stream stream : streams) {
        stream.channel.close();
      }
    }
    return streams.stream().map(Stream::heard).toList();
  }

  private static ByteBuffer request(String body) {
    String head =
        "POST /v1/completions HTTP/1.1\r\nHost: engine\r\nContent-Type: application/json\r\n"
            + "Content-Length: %d\r\n\r\n".formatted(body.length());
    return ByteBuffer.wrap((head + body).getBytes(StandardCharsets.US_ASCII));
  }

  private static final class Stream {
    private final SocketChannel channel;
    private final int leaveAfterEvents;
    private byte[] bytes = new byte[1 << 16];
    private int length;
    private int scanned;
    private long sentNanos;
    private long[] eventNanos = new long[256];
    private int events;

    Stream(SocketChannel channel, int leaveAfterEvents) {
      this.channel = channel;
      this.leaveAfterEvents = leaveAfterEvents;
    }

    void send(ByteBuffer request) throws IOException {
      sentNanos = System.nanoTime();
      while (request.hasRemaining()) {
        channel.write(request);
      }
    }

    /** Takes in what has come; false at the end of the stream. */
    boolean read(ByteBuffer buffer) throws IOException {
      long now = System.nanoTime();
      buffer.clear();
      int count = channel.read(buffer);
      if (count < 0) {
        return false;
      }
      buffer.flip();
      if (length + count > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
      }
      buffer.get(bytes, length, count);
      length += count;
      countEvents(now);
      return events < leaveAfterEvents && !isOver();
    }

    private void countEvents(long now) {
      for (; scanned + EVENT.length <= length; scanned++) {
        if (Arrays.equals(bytes, scanned, scanned + EVENT.length, EVENT, 0, EVENT.length)) {
          if (events == eventNanos.length) {
            eventNanos = Arrays.copyOf(eventNanos, events * 2);
          }
          eventNanos[events++] = now;
        }
      }
    }

    private boolean isOver() {
      int from = Math.max(0, length - 64);
      return new String(bytes, from, length - from, StandardCharsets.US_ASCII).contains(END);
    }

    Heard heard() {
      List<String> texts =
          new String(bytes, 0, length, StandardCharsets.UTF_8)
              .lines()
              .filter(line -> line.startsWith("data: {"))
              .map(line -> line.substring("data: ".length()))
              .limit(events)
              .toList();
      return new Heard(sentNanos, Arrays.copyOf(eventNanos, events), texts);
    }
  }
}
