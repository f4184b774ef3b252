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

/** Hears from OkHttp when the phases of a call happen that lie before its events. */
final class PhaseListener extends EventListener {
  private final RequestTimings phases;
  private final ConnectionLease carrier;
  private final CountedTls tls;

  PhaseListener(OpenStream stream, CountedTls tls) {
    this.phases = stream.phases();
    this.carrier = stream.carrier();
    this.tls = tls;
  }

  @Override
  public void dnsStart(Call call, String domainName) {
    phases.awaitStart();
  }

  @Override
  public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
    phases.connectStarts();
  }

  @Override
  public void secureConnectStart(Call call) {
    phases.tlsStarts();
  }

  @Override
  public void connectEnd(Call call, InetSocketAddress address, Proxy proxy, Protocol protocol) {
    phases.connects();
  }

  @Override
  public void connectionAcquired(Call call, Connection connection) {
    Socket socket = connection.socket();
    if (socket instanceof CountingSocket counting) {
      carrier.take(counting, true);
    } else {
      tls.beneath(socket).ifPresent(counting -> carrier.take(counting, false));
    }
  }

  @Override
  public void requestBodyEnd(Call call, long byteCount) {
    phases.bodyIsWritten(carrier.lastWriteNanoTime());
  }

  @Override
  public void responseHeadersEnd(Call call, Response response) {
    phases.headersEnd(carrier.lastReadNanoTime());
  }

  @Override
  public void responseBodyStart(Call call) {
    phases.bodyBegins(carrier.lastReadNanoTime());
  }

  /** Comes before the connection goes back to the pool. */
  @Override
  public void responseBodyEnd(Call call, long byteCount) {
    carrier.rest();
  }
}
