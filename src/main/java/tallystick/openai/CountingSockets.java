package tallystick.openai;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;

/**
 * Plain sockets that count their reads, so that events which came out of one read can be told from
 * events that came alone. An HTTP chunk is no read: many chunks may lie in one.
 */
final class CountingSockets extends SocketFactory {

  private final ScheduledExecutorService watch;

  /** Sockets whose connecting is given up by a task of {@code watch}. */
  CountingSockets(ScheduledExecutorService watch) {
    this.watch = watch;
  }

  /** A socket whose reads are counted; read by the one thread that reads the stream. */
  static final class CountingSocket extends Socket {
    private final ScheduledExecutorService watch;
    private long reads;
    private long lastReadNanoTime;

    private CountingSocket(ScheduledExecutorService watch) {
      this.watch = watch;
    }

    /**
     * Connects, and gives up after the time. The limit is not the JDK's own: with one, the JDK
     * makes the socket non-blocking for good, and every read costs three system calls, not one.
     */
    @Override
    public void connect(SocketAddress address, int timeoutMillis) throws IOException {
      ScheduledFuture<?> limit =
          watch.schedule(this::giveUp, timeoutMillis, TimeUnit.MILLISECONDS);
      try {
        super.connect(address, 0);
      } catch (SocketException e) {
        throw limit.isDone()
            ? new SocketTimeoutException("no connection within " + timeoutMillis + " ms")
            : e;
      } finally {
        limit.cancel(false);
      }
    }

    private Void giveUp() throws IOException {
      close();
      return null;
    }

    long reads() {
      return reads;
    }

    /** When the latest read came back, {@code System.nanoTime()}. */
    long lastReadNanoTime() {
      return lastReadNanoTime;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          int value = in.read();
          noteRead();
          return value;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          int size = in.read(bytes, offset, length);
          noteRead();
          return size;
        }
      };
    }

    private void noteRead() {
      lastReadNanoTime = System.nanoTime();
      reads++;
    }
  }

  @Override
  public Socket createSocket() {
    return new CountingSocket(watch);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new IOException("OkHttp connects its sockets itself");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    throw new IOException("OkHttp connects its sockets itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    throw new IOException("OkHttp connects its sockets itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    throw new IOException("OkHttp connects its sockets itself");
  }
}
