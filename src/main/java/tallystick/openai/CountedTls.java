package tallystick.openai;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import javax.net.ssl.SSLSocketFactory;
import tallystick.openai.CountingSockets.CountingSocket;

/** TLS over counted sockets, that remembers which socket lies beneath. Threads: any. */
final class CountedTls extends SSLSocketFactory {
  private final SSLSocketFactory tls;
  private final Map<Socket, CountingSocket> beneath =
      Collections.synchronizedMap(new WeakHashMap<>());

  CountedTls(SSLSocketFactory tls) {
    this.tls = tls;
  }

  /** The counted socket that carries a TLS socket of this factory. */
  Optional<CountingSocket> beneath(Socket socket) {
    return Optional.ofNullable(beneath.get(socket));
  }

  @Override
  public Socket createSocket(Socket carrier, String host, int port, boolean closesCarrier)
      throws IOException {
    Socket socket = tls.createSocket(carrier, host, port, closesCarrier);
    if (carrier instanceof CountingSocket counting) {
      beneath.put(socket, counting);
    }
    return socket;
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return tls.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return tls.getSupportedCipherSuites();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw alone();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    throw alone();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    throw alone();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    throw alone();
  }

  private static IOException alone() {
    return new IOException("OkHttp lays TLS over a socket it has connected");
  }
}
