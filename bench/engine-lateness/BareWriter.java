package tallystick.simengine;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The least any server in Java can do: every 20 ms it writes 320 bytes that are ready to each of
 * its sockets. What it is late by is the machine's share of the engine's lateness.
 */
final class BareWriter {
  private static final long STEP_NANOS = 20_000_000;
  private static final int EVENT_BYTES = 320;
  private static final int WARMING_STEPS = 100;

  private BareWriter() {}

  /** Nanoseconds from each step's planned end to the return of each of its writes, ascending. */
  static long[] run(int streams, int threads, int steps) throws Exception {
    List<SocketChannel> writers = new ArrayList<>();
    Selector selector = Selector.open();
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), streams);
      for (int i = 0; i < streams; i++) {
        SocketChannel reader = SocketChannel.open(server.getLocalAddress());
        reader.configureBlocking(false);
        reader.register(selector, SelectionKey.OP_READ);
        SocketChannel writer = server.accept();
        writer.setOption(StandardSocketOptions.TCP_NODELAY, true);
        writers.add(writer);
      }
    }
    Thread reading = Thread.ofPlatform().daemon().start(() -> read(selector));
    long first = System.nanoTime() + STEP_NANOS;
    long[][] late = new long[threads][];
    List<Thread> writing = new ArrayList<>();
    for (int rank = 0; rank < threads; rank++) {
      int mine = rank;
      List<SocketChannel> share = new ArrayList<>();
      for (int i = rank; i < streams; i += threads) {
        share.add(writers.get(i));
      }
      writing.add(
          Thread.ofPlatform().start(() -> late[mine] = write(share, first, steps)));
    }
    for (Thread thread : writing) {
      thread.join();
    }
    for (SocketChannel writer : writers) {
      writer.close();
    }
    reading.interrupt();
    reading.join();
    return Arrays.stream(late).flatMapToLong(Arrays::stream).sorted().toArray();
  }

  private static long[] write(List<SocketChannel> channels, long first, int steps) {
    ByteBuffer event = ByteBuffer.allocateDirect(EVENT_BYTES);
    long[] late = new long[channels.size() * steps];
    int count = 0;
    try {
      for (int step = 0; step < WARMING_STEPS + steps; step++) {
        long planned = first + step * STEP_NANOS;
        PreciseSleep.until(planned);
        for (SocketChannel channel : channels) {
          channel.write(event.clear());
          if (step >= WARMING_STEPS) {
            late[count++] = System.nanoTime() - planned;
          }
        }
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return late;
  }

  private static void read(Selector selector) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    try (selector) {
      while (!Thread.interrupted()) {
        selector.select();
        for (SelectionKey key : selector.selectedKeys()) {
          if (((SocketChannel) key.channel()).read(buffer.clear()) < 0) {
            key.channel().close();
          }
        }
        selector.selectedKeys().clear();
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
