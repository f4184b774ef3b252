import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One thread and one selector read every stream and stamp each data line; bare, as a bound. */
final class SelectorReaders implements Readers {
  private static final byte[] MARK = {'d', 'a', 't', 'a', ':'};

  private final int port;
  private final Selector selector = Selector.open();
  private final Queue<Order> orders = new ConcurrentLinkedQueue<>();
  private final Map<String, Queue<SelectionKey>> idle = new HashMap<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
  private final byte[] bytes = new byte[64 * 1024];
  private int number;

  private record Order(String path, int tokens, Sink sink) {}

  /** One stream's place in its bytes. */
  private static final class Stream {
    private final String id;
    private final Order order;
    private final long[] arrivals;
    private int count;
    private int column;
    private boolean marked = true;
    private byte first;
    private boolean ending;

    Stream(String id, Order order) {
      this.id = id;
      this.order = order;
      this.arrivals = new long[order.tokens()];
    }

    /** Takes bytes; true when the stream has ended. */
    boolean take(byte[] from, int size) {
      boolean ended = false;
      for (int i = 0; i < size; i++) {
        byte value = from[i];
        if (value == '\n') {
          ended |= endLine();
        } else if (value != '\r') {
          marked &= column >= MARK.length || value == MARK[column];
          first = column == 0 ? value : first;
          column++;
        }
      }
      return ended;
    }

    private boolean endLine() {
      boolean ended = ending && column == 0;
      ending = column == 1 && first == '0';
      if (marked && column >= MARK.length && count < arrivals.length) {
        arrivals[count++] = System.nanoTime();
      }
      column = 0;
      marked = true;
      return ended;
    }
  }

  SelectorReaders(int port) throws IOException {
    this.port = port;
    Thread thread = new Thread(this::run, "selector");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void start(String path, int tokens, Sink sink) {
    orders.add(new Order(path, tokens, sink));
    selector.wakeup();
  }

  private void run() {
    try {
      while (true) {
        for (Order order = orders.poll(); order != null; order = orders.poll()) {
          begin(order);
        }
        selector.select(this::read);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void begin(Order order) throws IOException {
    SelectionKey key = idle.computeIfAbsent(order.path(), path -> new ArrayDeque<>()).poll();
    if (key == null) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      key = channel.register(selector, SelectionKey.OP_READ);
    }
    String id = "selector-" + ++number;
    key.attach(new Stream(id, order));
    byte[] request = BareConnection.request(order.path(), id, order.tokens());
    ((SocketChannel) key.channel()).write(ByteBuffer.wrap(request));
  }

  private void read(SelectionKey key) {
    try {
      buffer.clear();
      int size = ((SocketChannel) key.channel()).read(buffer);
      if (size < 0) {
        throw new IOException("the server closed a connection");
      }
      buffer.flip().get(bytes, 0, size);
      Stream stream = (Stream) key.attachment();
      if (stream.take(bytes, size)) {
        idle.get(stream.order.path()).add(key);
        stream.order.sink().end(stream.id, stream.arrivals);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
