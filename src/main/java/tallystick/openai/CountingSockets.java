package tallystick.openai;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Plain sockets that count their reads, so that events which came out of one read can be told from
 * events that came alone. An HTTP chunk is no read: many chunks may lie in one.
 */
final class CountingSockets extends SocketFactory {

  /** A socket whose reads are counted; read by the one thread that reads the stream. */
  static final class CountingSocket extends Socket {
    private long reads;
    private long lastReadNanoTime;

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
    return new CountingSocket();
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
