package tallystick.openai;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
 * events that came alone. An HTTP chunk is no read: many chunks may lie in one. They know when the
 * latest read came back and when the latest write began.
 */
final class CountingSockets extends SocketFactory {

  private final ScheduledExecutorService watch;
  private final IdleLimits idleLimits = new IdleLimits();
  private final OpenEnds openEnds = new OpenEnds();

  /** Sockets whose connecting is given up by a task of {@code watch}. */
  CountingSockets(ScheduledExecutorService watch) {
    this.watch = watch;
  }

  /**
   * A socket whose reads are counted; read by the one thread that reads the stream. One that has
   * lain idle for too long says that it is closed: the pool asks when it takes a connection.
   */
  static final class CountingSocket extends Socket {
    /** Not idle, or taken for the first time. */
    static final long NOT_IDLE = -1;

    /** OkHttp keeps a chunk's size line however long it is. */
    private static final int MOST_FRAMING_BYTES = 1 << 20;

    private final ScheduledExecutorService watch;
    private final IdleLimits idleLimits;
    private final OpenEnds openEnds;
    private int framingBytes;
    private SocketAddress peer;
    private long reads;
    private long readBytes;
    private long lastReadNanoTime;
    private long lastWriteNanoTime;
    private volatile boolean isIdle;
    private volatile long idleSinceNanoTime;

    private CountingSocket(
        ScheduledExecutorService watch, IdleLimits idleLimits, OpenEnds openEnds) {
      this.watch = watch;
      this.idleLimits = idleLimits;
      this.openEnds = openEnds;
    }

    /** How long an answer that is over is waited for. */
    long patienceNanos() {
      return openEnds.patienceNanos(peer);
    }

    /** How long the usage of a finished answer is waited for. */
    long usagePatienceNanos() {
      return openEnds.usagePatienceNanos(peer);
    }

    /** An answer that was over ended, or was left open. */
    void answerEnded(boolean isLeftOpen) {
      openEnds.ended(peer, isLeftOpen);
    }

    /** The answer has ended. Called before the connection goes back to the pool. */
    void rest() {
      idleSinceNanoTime = System.nanoTime();
      isIdle = true;
    }

    /** A request takes the connection; gives how long it had lain idle, or {@link #NOT_IDLE}. */
    long take() {
      long idle = isIdle ? System.nanoTime() - idleSinceNanoTime : NOT_IDLE;
      isIdle = false;
      framingBytes = 0;
      return idle;
    }

    /** Takes the server's header {@code Keep-Alive}. */
    void keptFor(String header) {
      idleLimits.told(peer, header);
    }

    /** The connection was dead after it had lain idle for so long. */
    void diedAfter(long idleNanos) {
      idleLimits.diedAfter(peer, idleNanos);
    }

    @Override
    public boolean isClosed() {
      return super.isClosed() || isIdle && isTooOld();
    }

    private boolean isTooOld() {
      return System.nanoTime() - idleSinceNanoTime >= idleLimits.limitNanos(peer);
    }

    /** What is closed for its age must still be closed in truth. */
    @Override
    public void close() throws IOException {
      isIdle = false;
      super.close();
    }

    /**
     * Connects, and gives up after the time. The limit is not the JDK's own: with one, the JDK
     * makes the socket non-blocking for good, and every read costs three system calls, not one.
     */
    @Override
    public void connect(SocketAddress address, int timeoutMillis) throws IOException {
      peer = address;
      ScheduledFuture<?> limit = watch.schedule(this::giveUp, timeoutMillis, TimeUnit.MILLISECONDS);
      try {
        super.connect(address, 0);
        // Nagle's algorithm would hold the rest of a long prompt until the server's delayed
        // acknowledgement of its first piece: 40 ms in the time to the first token.
        setTcpNoDelay(true);
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

    /** A part of the body has come out of what was read. */
    void hasBody() {
      framingBytes = 0;
    }

    /** Bytes read so far; of a socket beneath TLS, those of TLS. */
    long readBytes() {
      return readBytes;
    }

    /** When the latest read came back, {@code System.nanoTime()}. */
    long lastReadNanoTime() {
      return lastReadNanoTime;
    }

    /**
     * When the latest write began, {@code System.nanoTime()}. When it came back says less: on a
     * busy machine the server may have read what was written, and answered, before that.
     */
    long lastWriteNanoTime() {
      return lastWriteNanoTime;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(int value) throws IOException {
          lastWriteNanoTime = System.nanoTime();
          out.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          lastWriteNanoTime = System.nanoTime();
          out.write(bytes, offset, length);
        }
      };
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          int value = in.read();
          noteRead(value < 0 ? 0 : 1);
          return value;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          int size = in.read(bytes, offset, length);
          noteRead(Math.max(0, size));
          return size;
        }
      };
    }

    private void noteRead(int size) throws IOException {
      lastReadNanoTime = System.nanoTime();
      reads++;
      readBytes += size;
      framingBytes += size;
      if (framingBytes > MOST_FRAMING_BYTES) {
        throw new IOException("more than " + MOST_FRAMING_BYTES + " bytes of HTTP without a body");
      }
    }
  }

  @Override
  public Socket createSocket() {
    return new CountingSocket(watch, idleLimits, openEnds);
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
