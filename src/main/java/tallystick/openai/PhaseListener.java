package tallystick.openai;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.EventListener;
import okhttp3.Protocol;
import okhttp3.Response;
import tallystick.openai.CountingSockets.CountingSocket;

/** Stamps the phases of a call that lie before its events. */
final class PhaseListener extends EventListener {
  private final StreamTiming timing;
  private final CountedTls tls;

  PhaseListener(StreamTiming timing, CountedTls tls) {
    this.timing = timing;
    this.tls = tls;
  }

  @Override
  public void dnsStart(Call call, String domainName) {
    timing.awaitStart();
  }

  @Override
  public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
    timing.awaitStart();
    timing.connectStarted = System.nanoTime();
  }

  @Override
  public void secureConnectStart(Call call) {
    timing.tlsStarted = System.nanoTime();
  }

  @Override
  public void connectEnd(Call call, InetSocketAddress address, Proxy proxy, Protocol protocol) {
    timing.connected = System.nanoTime();
  }

  @Override
  public void connectionAcquired(Call call, Connection connection) {
    Socket socket = connection.socket();
    if (socket instanceof CountingSocket counting) {
      timing.take(counting, true);
    } else {
      tls.beneath(socket).ifPresent(carrier -> timing.take(carrier, false));
    }
  }

  @Override
  public void requestBodyEnd(Call call, long byteCount) {
    timing.written = System.nanoTime();
  }

  @Override
  public void responseHeadersEnd(Call call, Response response) {
    timing.headers = timing.lastReadNanoTime();
  }

  @Override
  public void responseBodyStart(Call call) {
    timing.firstByte = timing.lastReadNanoTime();
  }

  /** Comes before the connection goes back to the pool. */
  @Override
  public void responseBodyEnd(Call call, long byteCount) {
    timing.rest();
  }
}
