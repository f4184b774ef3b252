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

    long reads() {
      return reads;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          reads++;
          return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          int size = in.read(bytes, offset, length);
          reads++;
          return size;
        }
      };
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
