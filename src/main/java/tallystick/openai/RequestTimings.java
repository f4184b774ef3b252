package tallystick.openai;

import tallystick.openai.CompletionResult.Moments;

/**
 * When the steps of one request happened that lie before its events, {@code System.nanoTime()}.
 * Written by the call's own thread, read by any.
 */
final class RequestTimings {
  private final StartGate gate;
  private final long wantedStart;
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
   */
  RequestTimings(StartGate gate, long wantedStart) {
    this.gate = gate;
    this.wantedStart = wantedStart;
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

  void connectStarts() {
    awaitStart();
    connectStarted = System.nanoTime();
  }

  void tlsStarts() {
    tlsStarted = System.nanoTime();
  }

  void connects() {
    connected = System.nanoTime();
  }

  void bodyIsWritten(long nanoTime) {
    written = nanoTime;
  }

  void headersEnd(long nanoTime) {
    headers = nanoTime;
  }

  void bodyBegins(long nanoTime) {
    firstByte = nanoTime;
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
