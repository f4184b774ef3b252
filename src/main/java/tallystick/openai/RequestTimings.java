package tallystick.openai;

import java.net.InetSocketAddress;
import java.net.Proxy;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.EventListener;
import okhttp3.Protocol;
import okhttp3.Response;
import tallystick.openai.CompletionResult.Moments;
import tallystick.openai.CountingSockets.CountingSocket;

/**
 * When the steps of one request happened that lie before its events, {@code System.nanoTime()}, as
 * OkHttp tells them. Written by the call's own thread, read by any.
 */
final class RequestTimings extends EventListener {
  private final StartGate gate;
  private final long wantedStart;
  private final CountedTls tls;
  private final ConnectionLease carrier = new ConnectionLease();
  private volatile long started;
  private volatile boolean isStarted;
  private volatile long connectStarted;
  private volatile long tlsStarted;
  private volatile long connected;
  private volatile long written;
  private volatile long headers;
  private volatile long firstByte;

  /**
   * The phases of a request.
   *
   * @param wantedStart {@code System.nanoTime()} before which it does not start
   * @param tls knows the sockets beneath TLS
   */
  RequestTimings(StartGate gate, long wantedStart, CountedTls tls) {
    this.gate = gate;
    this.wantedStart = wantedStart;
    this.tls = tls;
  }

  /** What carries the request. */
  ConnectionLease carrier() {
    return carrier;
  }

  /** Lets the request go on when its time has come; what went before is no latency. */
  void awaitStart() {
    if (!isStarted) {
      started = gate.await(wantedStart);
      isStarted = true;
    }
  }

  /** Time left until so long after the start. */
  long nanosUntil(long afterStartNanos) {
    return isStarted ? started + afterStartNanos - System.nanoTime() : afterStartNanos;
  }

  @Override
  public void dnsStart(Call call, String domainName) {
    awaitStart();
  }

  @Override
  public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
    awaitStart();
    connectStarted = System.nanoTime();
  }

  @Override
  public void secureConnectStart(Call call) {
    tlsStarted = System.nanoTime();
  }

  @Override
  public void connectEnd(Call call, InetSocketAddress address, Proxy proxy, Protocol protocol) {
    connected = System.nanoTime();
  }

  @Override
  public void connectionAcquired(Call call, Connection connection) {
    if (connection.socket() instanceof CountingSocket counting) {
      carrier.take(counting, true);
    } else {
      tls.beneath(connection.socket()).ifPresent(counting -> carrier.take(counting, false));
    }
  }

  @Override
  public void requestBodyEnd(Call call, long byteCount) {
    written = carrier.lastWriteNanoTime();
  }

  @Override
  public void responseHeadersEnd(Call call, Response response) {
    headers = carrier.lastReadNanoTime();
  }

  @Override
  public void responseBodyStart(Call call) {
    firstByte = carrier.lastReadNanoTime();
  }

  /** Comes before the connection goes back to the pool. */
  @Override
  public void responseBodyEnd(Call call, long byteCount) {
    carrier.rest();
  }

  /** Whether it tried to connect and is not connected. */
  boolean isConnecting() {
    return connectStarted > 0 && connected == 0;
  }

  boolean hasHeaders() {
    return headers != 0;
  }

  /** The request goes out once more: forgets the attempt that failed, but not the start. */
  void beginAgain() {
    connectStarted = 0;
    tlsStarted = 0;
    connected = 0;
    written = 0;
    headers = 0;
  }

  /** All of them, with the end of the request. */
  Moments until(long ended) {
    return new Moments(
        started, connectStarted, tlsStarted, connected, written, headers, firstByte, ended);
  }
}
